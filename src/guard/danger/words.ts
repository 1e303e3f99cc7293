import type { Danger } from "../policy/policy.ts";

/**
 * What labels say when they do something that a person should know of first. Each line is one language. A phrase counts
 * wherever it stands as whole words; after "=" only where it is all that a label says. Scripts without spaces are looked
 * for as they stand.
 */
export const dangerousPhrases: Readonly<Partial<Record<Danger, string>>> = {
  delete: `
en delete, remove, erase, wipe, purge, destroy, discard, shred, move to trash, move to the trash, move to bin, =trash, =bin it, empty trash, empty bin, empty recycle bin, clear history, clear data, clear browsing data, clear all data, factory reset, reset all settings, format disk, format drive, format partition, format volume, close without saving, quit without saving, exit without saving, leave without saving, dont save, do not save, lose changes, lose your changes, lose unsaved, will be lost, be lost, lose all, close account, deactivate account
de löschen, lösche, loeschen, entfernen, verwerfen, vernichten, papierkorb verschieben, papierkorb leeren, in den papierkorb, verlauf leeren, ohne speichern, nicht speichern, gehen verloren, verloren gehen, werkseinstellungen, zerstören, chronik leeren, verlauf löschen
fr supprimer, effacer, jeter, enlever, retirer, détruire, mettre à la corbeille, vider la corbeille, ne pas enregistrer, fermer sans enregistrer, seront perdues, seront perdus, abandonner les modifications, =abandonner, purger
es eliminar, elimina, borrar, borre, suprimir, quitar, descartar, destruir, mover a la papelera, vaciar papelera, vaciar la papelera, cerrar sin guardar, no guardar, se perderán, limpiar historial, limpiar histórico
it elimina, eliminare, cancella, cancellare, rimuovi, rimuovere, scarta, sposta nel cestino, svuota cestino, svuota il cestino, chiudi senza salvare, non salvare, andranno perse, andranno persi, distruggi, pulisci cronologia, pulisci la cronologia
pt eliminar, excluir, apagar, remover, descartar, mover para o lixo, mover para a lixeira, esvaziar lixo, esvaziar a lixeira, esvaziar lixeira, fechar sem salvar, não salvar, fechar sem guardar, não guardar, serão perdidas, serão perdidos, limpar histórico, destruir
nl verwijderen, verwijder, weggooien, verwerpen, vernietigen, naar prullenbak, prullenbak legen, niet opslaan, sluiten zonder opslaan, gaan verloren, geschiedenis wissen, wis geschiedenis, sla niet op, =wissen
pl usuń, usunąć, skasuj, wymaż, odrzuć, przenieś do kosza, opróżnij kosz, nie zapisuj, zamknij bez zapisywania, zostaną utracone, usunięcie, zniszcz, wyczyść historię
ru удалить, =удаление, удалять, стереть, очистить корзину, в корзину, переместить в корзину, не сохранять, закрыть без сохранения, будут потеряны, уничтожить, отбросить, очистить историю
uk видалити, вилучити, стерти, очистити смітник, до смітника, у смітник, відкинути, знищити, очистити історію, очистити журнал, не зберігати, закрити без збереження, буде втрачено
cs smazat, odstranit, odebrat, zničit, vymazat, zahodit, přesunout do koše, vysypat koš, vyprázdnit koš, neukládat, zavřít bez uložení, budou ztraceny
tr sil, silmek, silinsin, kaldır, yok et, geçmişi temizle, çöpe at, çöpe taşı, çöp kutusuna taşı, çöpü boşalt, =kaydetme, kaydetmeden kapat, kaybolacak
zh 删除, 刪除, 移除, 移动到回收站, 清除历史, 摧毁, =放弃, 移到回收站, 移到废纸篓, 移至垃圾桶, 移到垃圾桶, 清空回收站, 清空废纸篓, 清空垃圾桶, 抹掉, 销毁, 丢弃, 捨棄, 不保存, 不儲存, 恢复出厂
ja 削除, ゴミ箱に移動, ゴミ箱へ移動, ゴミ箱に入れる, ゴミ箱を空に, 消去, 破棄, 保存しない, 保存せずに, 失われます, 履歴のクリア, 履歴を消
ko 삭제, 제거, 휴지통으로 이동, 휴지통으로 옮기기, 휴지통 비우기, 기록 지우기, 저장 안 함, 저장하지 않, 버리기, 손실됩니다`,
  send: `
en send, submit, publish, resend, =post, post comment, post reply, post message, post now, post tweet, =tweet
de senden, sende, absenden, abschicken, verschicken, versenden, veröffentlichen, einreichen
fr envoyer, envoie, publier, soumettre, expédier
es enviar, envíe, publicar, remitir
it invia, inviare, spedisci, spedire, =pubblica, pubblica ora, pubblicare, =inoltra
pt enviar, publicar, submeter, postar
nl verzenden, verzend, versturen, verstuur, publiceren, indienen
pl wyślij, wysłać, opublikuj, prześlij
ru отправить, =отправка, опубликовать, выслать
uk надіслати, відправити, опублікувати
cs odeslat, poslat, publikovat, zveřejnit
tr gönder, göndermek, gönderilsin, yayınla, yolla
zh 发送, 發送, 傳送, 传送, 寄出, 提交, 发布, 發佈, 发表, 發表
ja 送信, 投稿, 公開する, 提出
ko 보내기, 전송, 게시하기, 제출, 발송`,
  pay: `
en pay, buy, purchase, checkout, =check out, proceed to checkout, place order, place your order, place my order, submit order, confirm order, order now, =order, order and pay, place bid, bid now, =bid, transfer money, transfer funds, donate, book now, confirm payment, make payment, complete purchase
de bezahlen, zahlen, zahlung bestätigen, zahlungspflichtig, kaufen, kauf abschließen, bestellen, jetzt bestellen, zur kasse, überweisen, spenden, jetzt buchen
fr payer, payez, acheter, achetez, =commander, passer commande, passer la commande, valider la commande, régler la commande, virement, faire un don
es pagar, pague, comprar, realizar pedido, hacer pedido, finalizar compra, tramitar pedido, transferir dinero, donar
it paga, pagare, acquista, acquistare, compra, comprare, ordina ora, effettua ordine, invia ordine, dona ora
pt pagar, comprar, finalizar compra, finalizar pedido, fazer pedido, encomendar, doar
nl betalen, betaal, kopen, koop, koop nu, afrekenen, bestellen, bestelling plaatsen, doneren, overschrijven naar rekening
pl zapłać, zapłacić, =kup, kup teraz, kup bilet, kupić, kupuję, złóż zamówienie, zamów, zamawiam, przelej
ru оплатить, заплатить, купить, заказать, оформить заказ, перевести деньги, пожертвовать
uk оплатити, сплатити, заплатити, купити, придбати, замовити, оформити замовлення
cs zaplatit, koupit, objednat, odeslat objednávku, k pokladně
tr öde, ödeme yap, satın al, sipariş ver, siparişi onayla, bağış yap
zh 付款, 支付, 购买, 購買, 下单, 下單, 结账, 结算, 結帳, 提交订单, 送出訂單, 转账, 轉帳, 捐款
ja 購入, 支払う, 支払い, お支払い, 注文を確定, 注文する, 注文確定, 会計, レジに進む, 振り込む, 寄付する
ko 결제, 구매, 구입, 주문하기, 주문 완료, 송금, 기부하기`,
  overwrite: `
en overwrite, =replace, replace file, replace it, replace existing, replace files, =merge and replace
de überschreiben, ueberschreiben, =ersetzen, datei ersetzen, ersetzen möchten
fr écraser, =remplacer, remplacer le fichier, la remplacer, le remplacer
es sobrescribir, =reemplazar, =sustituir, reemplazarlo, reemplazar archivo
it sovrascrivi, sovrascrivere, =sostituisci, sostituirlo
pt sobrescrever, =substituir, substituí lo, sobreescrever
nl overschrijven, =vervangen, bestand vervangen
pl nadpisz, nadpisać, =zastąp, zastąpić go
ru перезаписать, =заменить, заменить файл, заменить его
uk перезаписати, =замінити, замінити файл, замінити його
cs přepsat, =nahradit, nahradit soubor
tr üzerine yaz, üzerine yazılsın, üstüne yaz, =yerine koy, =değiştir
zh 覆盖, 覆蓋, 覆寫, =替换, =取代, 替换文件, 取代檔案
ja 上書き, =置き換え, =置き換える, =置換, 置き換えますか
ko 덮어쓰기, 덮어쓰, =바꾸기, 바꾸시겠습니까`,
  "log-out": `
en log out, logout, log off, logoff, sign out, signout, sign off, end session
de abmelden, ausloggen, sitzung beenden
fr se déconnecter, déconnexion, fermer la session, fermeture de session
es cerrar sesión, cerrar la sesión, desconectarse, finalizar sesión
it disconnettiti, termina sessione, esci dalla sessione, esci dall account, disconnetti account
pt terminar sessão, encerrar sessão, finalizar sessão, fazer logout, sair da conta, sair da sessão
nl afmelden, uitloggen, sessie beëindigen
pl wyloguj, wyloguj się, zakończ sesję
ru выйти из системы, выйти из аккаунта, завершить сеанс, завершение сеанса, разлогиниться
uk вийти з системи, вийти з облікового запису, завершити сеанс
cs odhlásit, odhlásit se
tr oturumu kapat, çıkış yap
zh 注销, 登出, 退出登录
ja ログアウト, サインアウト
ko 로그아웃`,
  "shut-down": `
en shut down, shutdown, power off, poweroff, power down, reboot, =restart, restart now, restart computer, restart the computer, restart system, restart your computer, restart and update, restart to update, update and restart, =turn off, turn off computer, turn off the computer, switch off computer, =halt
de herunterfahren, ausschalten, =neu starten, jetzt neu starten, computer neu starten, neustarten, =neustart
fr éteindre, arrêter l ordinateur, arrêter le système, redémarrer, =redémarrage
es apagar el equipo, apagar equipo, =apagar, =reiniciar, reiniciar ahora, reiniciar el equipo, reiniciar equipo, reiniciar el sistema
it spegni, arresta il sistema, =arresta, riavvia, riavviare, =riavvio
pt desligar, =reiniciar, =reinício, reiniciar agora, reiniciar o computador, reiniciar o sistema, =encerrar
nl =uitschakelen, computer uitschakelen, computer afsluiten, herstarten, opnieuw opstarten, =uitzetten
pl wyłącz komputer, =wyłącz, uruchom ponownie, zrestartuj
ru выключить компьютер, =выключить, =завершение работы, =завершить работу, =перезагрузить, перезагрузить компьютер, перезагрузить сейчас, перезагрузить систему, =перезагрузка, =перезапустить, =перезапуск
uk вимкнути комп ютер, =вимкнути, =завершити роботу, =перезавантажити, перезавантажити комп ютер, перезавантажити зараз, =перезапустити, =перезапуск
cs vypnout počítač, =vypnout, restartovat
tr bilgisayarı kapat, =gücü kapat, yeniden başlat
zh 关机, 關機, 重启, 重新启动, 重新啟動, 重新開機, 关闭电源, 關閉電源
ja シャットダウン, 電源を切る, 電源オフ, 再起動
ko 시스템 종료, 컴퓨터 끄기, 전원 끄기, 다시 시작, 재시작`,
  install: `
en install, reinstall, uninstall, upgrade now, =upgrade, install updates
de installieren, deinstallieren, aktualisierungen installieren
fr =installer, installer maintenant, installer la, installer le, installer les, installer un, installer une, installez, désinstaller, réinstaller
es instalar, desinstalar, reinstalar
it installa, installare, disinstalla, disinstallare, reinstalla
pt instalar, desinstalar, reinstalar
nl installeren, installeer, deïnstalleren
pl zainstaluj, zainstalować, instaluj, instalacja pakietu, odinstaluj, przeinstaluj
ru =установить, =установка, установить сейчас, установить программу, установить приложение, установить пакет, установить пакеты, установить обновления, установить расширение, переустановить, деинсталлировать
uk =встановити, =встановлення, встановити зараз, встановити програму, встановити пакунок, встановити оновлення, інсталювати, деінсталювати, перевстановити
cs instalovat, nainstalovat, odinstalovat, přeinstalovat
tr =yükle, şimdi yükle, paketi yükle, uygulamayı yükle, güncellemeleri yükle, kur, kurulum yap, kaldırılsın mı
zh 安装, 安裝, 卸载, 解除安裝
ja インストール, アンインストール
ko 설치`,
  grant: `
en grant, =allow, always allow, allow always, allow once, allow all, allow access, allow this time, allow while, allow permission, allow notifications, allow camera, allow microphone, allow location, allow control, allow remote, allow screen, give access, give permission, =authorize, =authorise, authorize app, authorise app, authorize access, =permit, =trust, trust this, trust and, always trust, make administrator
de =zulassen, immer zulassen, einmal zulassen, =erlauben, immer erlauben, einmal erlauben, gewähren, autorisieren, =vertrauen, immer vertrauen, zugriff gestatten
fr autoriser, accorder, faire confiance
es =permitir, permitir siempre, permitir una vez, autorizar, conceder, =confiar
it consenti, consentire, autorizza, concedi, concedere
pt =permitir, permitir sempre, permitir uma vez, autorizar, conceder
nl toestaan, machtigen, toestemming geven, =verlenen, =vertrouwen
pl zezwól, zezwalaj, pozwól, autoryzuj, przyznaj
ru =разрешить, всегда разрешать, разрешить один раз, предоставить доступ, =предоставить, дать доступ, =доверять, авторизовать
uk =дозволити, завжди дозволяти, дозволити один раз, надати доступ, =надати, =довіряти
cs =povolit, vždy povolit, povolit jednou, udělit, autorizovat, důvěřovat
tr =izin ver, her zaman izin ver, yetki ver, yetkilendir, =güven
zh 允许, 允許, 授权, 授權, 授予, 信任
ja 許可, 承認, 信頼
ko 허용, 권한 부여, 승인`,
  "run-program": `
en run in terminal, run anyway, run as administrator, run program, run script, =run, =execute, execute script, launch anyway, trust and launch, open anyway, make executable
de =ausführen, im terminal ausführen, programm ausführen, trotzdem öffnen, trotzdem ausführen
fr =exécuter, exécuter dans un terminal, exécuter quand même, lancer quand même
es =ejecutar, ejecutar en terminal, ejecutar en una terminal, ejecutar en un terminal, ejecutar de todos modos, ejecutar de todas formas
it =esegui, esegui comunque, esegui nel terminale
pt =executar, executar no terminal, executar mesmo assim
nl =uitvoeren, in terminal uitvoeren, toch uitvoeren, toch openen
pl =uruchom, uruchom w terminalu, uruchom mimo to, =wykonaj
ru =выполнить, запустить в терминале, запускать в терминале, запустить программу, всё равно запустить
uk =виконати, запустити у терміналі, запустити в терміналі, запустити програму
cs =spustit, spustit v terminálu, spustit program, přesto spustit
tr =çalıştır, uçbirimde çalıştır
zh 在终端中运行, =执行, 仍要运行, =运行, =執行, 仍要開啟
ja 端末で実行, ターミナルで実行, =実行, =実行する
ko 터미널에서 실행, =실행`,
  "end-program": `
en force quit, force close, force stop, end task, end process, end program, kill, kill process, terminate
de sofort beenden, beenden erzwingen, prozess beenden, task beenden, abschießen
fr forcer à quitter, forcer la fermeture, tuer, terminer le processus
es forzar salida, forzar la salida, forzar cierre, matar, terminar proceso, finalizar proceso, finalizar tarea
it forza chiusura, forza uscita, uccidi, termina processo
pt forçar saída, forçar encerramento, matar, terminar processo, finalizar processo, finalizar tarefa
nl geforceerd afsluiten, forceer afsluiten, proces beëindigen, taak beëindigen
pl wymuś zakończenie, wymuś zamknięcie, zabij, zakończ proces, zakończ zadanie
ru завершить принудительно, принудительно завершить, завершить процесс, снять задачу, убить
uk примусово завершити, завершити процес, вбити
cs vynutit ukončení, zabít, ukončit proces, ukončit úlohu
tr zorla kapat, =sonlandır, işlemi sonlandır, görevi sonlandır, öldür
zh 强制退出, 強制結束, 强制停止, 结束任务, 結束工作, 结束进程, 終止, 终止, 杀死
ja 強制終了, プロセスを終了, タスクの終了
ko 강제 종료, 프로세스 끝내기, 프로세스 중지, 작업 끝내기`,
};
