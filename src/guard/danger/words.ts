import type { Danger } from "../policy/policy.ts";

/**
 * Phrases in labels of sensitive controls, one language per line. A phrase matches whole words anywhere in a label; after
 * "=" only the whole label. In scripts without spaces it matches as a substring.
 */
export const dangerousPhrases: Readonly<Partial<Record<Danger, string>>> = {
  delete: `
en delete, remove, erase, wipe, purge, destroy, discard, shred, move to trash, move to the trash, move to bin, =trash, =bin it, empty trash, empty bin, empty recycle bin, clear history, clear data, clear browsing data, clear all data, factory reset, reset all settings, format disk, format drive, format partition, format volume, close without saving, quit without saving, exit without saving, leave without saving, dont save, do not save, lose changes, lose your changes, lose unsaved, will be lost, be lost, lose all, close account, deactivate account, clear all, clear everything, drop table, drop tables, drop database, drop schema, drop collection, truncate table, factory settings, factory defaults, =revoke, revoke access, revoke permission, revoke permissions, revoke key, revoke token, revoke certificate, revoke invitation, revoke all, unsubscribe, cancel subscription, cancel my subscription, cancel membership, cancel account
de löschen, lösche, loeschen, entfernen, verwerfen, vernichten, papierkorb verschieben, papierkorb leeren, in den papierkorb, verlauf leeren, ohne speichern, nicht speichern, gehen verloren, verloren gehen, werkseinstellungen, zerstören, chronik leeren, verlauf löschen, alles leeren, alles zurücksetzen, tabelle verwerfen, werksreset, auf werkszustand, =widerrufen, zugriff widerrufen, zugriff entziehen, zertifikat widerrufen, abbestellen, abo kündigen, =kündigen
fr supprimer, effacer, jeter, enlever, retirer, détruire, mettre à la corbeille, vider la corbeille, ne pas enregistrer, fermer sans enregistrer, seront perdues, seront perdus, abandonner les modifications, =abandonner, purger, tout effacer, tout vider, réinitialisation d usine, paramètres d usine, =révoquer, révoquer l accès, révoquer le certificat, annuler l abonnement, se désabonner, se désinscrire, désabonnement
es eliminar, elimina, borrar, borre, suprimir, quitar, descartar, destruir, mover a la papelera, vaciar papelera, vaciar la papelera, cerrar sin guardar, no guardar, se perderán, limpiar historial, limpiar histórico, borrar todo, limpiar todo, vaciar todo, valores de fábrica, restablecer de fábrica, configuración de fábrica, =revocar, revocar acceso, revocar el acceso, cancelar suscripción, darse de baja, desuscribirse
it elimina, eliminare, cancella, cancellare, rimuovi, rimuovere, scarta, sposta nel cestino, svuota cestino, svuota il cestino, chiudi senza salvare, non salvare, andranno perse, andranno persi, distruggi, pulisci cronologia, pulisci la cronologia, cancella tutto, svuota tutto, dati di fabbrica, impostazioni di fabbrica, ripristino di fabbrica, =revoca, revoca accesso, revoca l accesso, annulla iscrizione, annulla abbonamento, disiscriviti
pt eliminar, excluir, apagar, remover, descartar, mover para o lixo, mover para a lixeira, esvaziar lixo, esvaziar a lixeira, esvaziar lixeira, fechar sem salvar, não salvar, fechar sem guardar, não guardar, serão perdidas, serão perdidos, limpar histórico, destruir, limpar tudo, configurações de fábrica, redefinição de fábrica, definições de fábrica, =revogar, revogar acesso, revogar o acesso, cancelar inscrição, cancelar assinatura, cancelar subscrição
nl verwijderen, verwijder, weggooien, verwerpen, vernietigen, naar prullenbak, prullenbak legen, niet opslaan, sluiten zonder opslaan, gaan verloren, geschiedenis wissen, wis geschiedenis, sla niet op, =wissen, alles wissen, fabrieksinstellingen, =intrekken, toegang intrekken, =uitschrijven, abonnement opzeggen, =opzeggen
pl usuń, usunąć, skasuj, wymaż, odrzuć, przenieś do kosza, opróżnij kosz, nie zapisuj, zamknij bez zapisywania, zostaną utracone, usunięcie, zniszcz, wyczyść historię, wyczyść wszystko, ustawienia fabryczne, ustawień fabrycznych, unieważnij, odbierz dostęp, wypisz się, anuluj subskrypcję
ru удалить, =удаление, удалять, стереть, очистить корзину, в корзину, переместить в корзину, не сохранять, закрыть без сохранения, будут потеряны, уничтожить, отбросить, очистить историю, очистить всё, очистить все, сбросить до заводских, заводские настройки, =отозвать, отозвать доступ, отозвать сертификат, отписаться
uk видалити, вилучити, стерти, очистити смітник, до смітника, у смітник, відкинути, знищити, очистити історію, очистити журнал, не зберігати, закрити без збереження, буде втрачено, очистити все, заводські налаштування, заводських налаштувань, =відкликати, відкликати доступ, відписатися
cs smazat, odstranit, odebrat, zničit, vymazat, zahodit, přesunout do koše, vysypat koš, vyprázdnit koš, neukládat, zavřít bez uložení, budou ztraceny, vymazat vše, vyčistit vše, tovární nastavení, továrního nastavení, =odvolat, odvolat přístup, odhlásit odběr, zrušit odběr
tr sil, silmek, silinsin, kaldır, yok et, geçmişi temizle, çöpe at, çöpe taşı, çöp kutusuna taşı, çöpü boşalt, =kaydetme, kaydetmeden kapat, kaybolacak, tümünü temizle, hepsini temizle, fabrika ayarları, fabrika ayarlarına, erişimi iptal et, aboneliği iptal et, abonelikten çık, abonelikten ayrıl
zh 删除, 刪除, 移除, 移动到回收站, 清除历史, 摧毁, =放弃, 移到回收站, 移到废纸篓, 移至垃圾桶, 移到垃圾桶, 清空回收站, 清空废纸篓, 清空垃圾桶, 抹掉, 销毁, 丢弃, 捨棄, 不保存, 不儲存, 恢复出厂, 全部清除, 清除全部, 清空全部, 全部清空, 恢復原廠, 出厂设置, 撤销访问, 撤銷存取, 吊销, 退订, 取消订阅, 取消訂閱, 删除表
ja 削除, ゴミ箱に移動, ゴミ箱へ移動, ゴミ箱に入れる, ゴミ箱を空に, 消去, 破棄, 保存しない, 保存せずに, 失われます, 履歴のクリア, 履歴を消, すべてクリア, 全てクリア, すべて消, 初期化, 工場出荷, アクセスを取り消, 失効, 配信停止, 登録解除, 購読解除
ko 삭제, 제거, 휴지통으로 이동, 휴지통으로 옮기기, 휴지통 비우기, 기록 지우기, 저장 안 함, 저장하지 않, 버리기, 손실됩니다, 모두 지우기, 전체 지우기, 공장 초기화, 초기화하기, 접근 취소, 액세스 취소, 구독 취소, 구독 해지, 수신 거부`,
  send: `
en send, submit, publish, resend, =post, post comment, post reply, post message, post now, post tweet, =tweet, =upload, upload now, upload file, upload files, upload all, upload photo, upload photos, upload image, upload images, upload video, upload document, upload documents, upload folder, upload data, upload to, start upload, =share, share now, share publicly, share link, share this, share it, share file, share files, share folder, share photo, share post, share document, share with, make public, make it public, make this public, make repository public, make this repository public, make visible to everyone, visible to everyone, go public, =go live, start streaming, start broadcast
de senden, sende, absenden, abschicken, verschicken, versenden, veröffentlichen, einreichen, =hochladen, jetzt hochladen, datei hochladen, dateien hochladen, =teilen, jetzt teilen, link teilen, teilen mit, öffentlich teilen, öffentlich machen, =freigeben, ordner freigeben, datei freigeben
fr envoyer, envoie, publier, soumettre, expédier, =téléverser, =mettre en ligne, téléverser un fichier, téléverser le fichier, =partager, partager maintenant, partager le lien, partager avec, partager publiquement, rendre public, rendre publique
es enviar, envíe, publicar, remitir, =subir, subir archivo, subir archivos, subir ahora, =cargar archivo, =compartir, compartir ahora, compartir enlace, compartir con, hacer público, hacer pública
it invia, inviare, spedisci, spedire, =pubblica, pubblica ora, pubblicare, =inoltra, =carica, carica file, carica ora, =condividi, condividi ora, condividi link, condividi con, rendi pubblico, rendi pubblica
pt enviar, publicar, submeter, postar, =enviar arquivo, =carregar ficheiro, carregar arquivo, fazer upload, =compartilhar, =partilhar, compartilhar agora, compartilhar link, compartilhar com, partilhar com, tornar público, tornar pública
nl verzenden, verzend, versturen, verstuur, publiceren, indienen, =uploaden, bestand uploaden, bestanden uploaden, nu uploaden, =delen, nu delen, link delen, delen met, openbaar maken
pl wyślij, wysłać, opublikuj, prześlij, =prześlij plik, wgraj, wgraj plik, =udostępnij, udostępnij teraz, udostępnij link, upublicznij, ustaw jako publiczne
ru отправить, =отправка, опубликовать, выслать, =загрузить на сервер, выгрузить файл, загрузить файлы на сервер, =поделиться, поделиться ссылкой, открыть общий доступ, сделать публичным, сделать общедоступным
uk надіслати, відправити, опублікувати, =вивантажити, вивантажити файл, =поділитися, поділитися посиланням, відкрити спільний доступ, зробити публічним, зробити загальнодоступним
cs odeslat, poslat, publikovat, zveřejnit, =nahrát, nahrát soubor, nahrát soubory, nahrát na server, =sdílet, sdílet odkaz, sdílet s, =zveřejnit, nastavit jako veřejné
tr gönder, göndermek, gönderilsin, yayınla, yolla, =karşıya yükle, dosya yükle, dosyayı yükle, =paylaş, şimdi paylaş, bağlantıyı paylaş, herkese açık yap, herkese aç
zh 发送, 發送, 傳送, 传送, 寄出, 提交, 发布, 發佈, 发表, 發表, 上传, 上傳, =分享, =共享, 分享链接, 分享連結, 立即分享, 设为公开, 設為公開, 公开发布
ja 送信, 投稿, 公開する, 提出, アップロード, =共有, =共有する, =シェア, リンクを共有, 公開にする, =公開
ko 보내기, 전송, 게시하기, 제출, 발송, 업로드, =공유, =공유하기, 링크 공유, 공개로 전환, 공개하기`,
  pay: `
en pay, buy, purchase, checkout, =check out, proceed to checkout, place order, place your order, place my order, submit order, confirm order, order now, =order, order and pay, place bid, bid now, =bid, transfer money, transfer funds, donate, book now, confirm payment, make payment, complete purchase, =transfer, transfer now, confirm transfer, make transfer, make a transfer, wire transfer, transfer amount, send money
de bezahlen, zahlen, zahlung bestätigen, zahlungspflichtig, kaufen, kauf abschließen, bestellen, jetzt bestellen, zur kasse, überweisen, spenden, jetzt buchen, =überweisung ausführen, überweisung bestätigen, geld senden
fr payer, payez, acheter, achetez, =commander, passer commande, passer la commande, valider la commande, régler la commande, virement, faire un don, effectuer le virement, =virer, transférer de l argent
es pagar, pague, comprar, realizar pedido, hacer pedido, finalizar compra, tramitar pedido, transferir dinero, donar, =transferir, transferir ahora, confirmar transferencia, hacer transferencia
it paga, pagare, acquista, acquistare, compra, comprare, ordina ora, effettua ordine, invia ordine, dona ora, =trasferisci, bonifico, esegui bonifico, trasferisci denaro
pt pagar, comprar, finalizar compra, finalizar pedido, fazer pedido, encomendar, doar, =transferir, transferir agora, transferir dinheiro, confirmar transferência
nl betalen, betaal, kopen, koop, koop nu, afrekenen, bestellen, bestelling plaatsen, doneren, overschrijven naar rekening, geld overmaken, =overmaken, =overboeken
pl zapłać, zapłacić, =kup, kup teraz, kup bilet, kupić, kupuję, złóż zamówienie, zamów, zamawiam, przelej, przelew, wykonaj przelew, =przekaż środki
ru оплатить, заплатить, купить, заказать, оформить заказ, перевести деньги, пожертвовать, перевести средства, подтвердить перевод, выполнить перевод
uk оплатити, сплатити, заплатити, купити, придбати, замовити, оформити замовлення, переказати, переказати кошти, підтвердити переказ
cs zaplatit, koupit, objednat, odeslat objednávku, k pokladně, převést peníze, =převést, odeslat platbu
tr öde, ödeme yap, satın al, sipariş ver, siparişi onayla, bağış yap, para gönder, para transferi, =transfer et, havale yap
zh 付款, 支付, 购买, 購買, 下单, 下單, 结账, 结算, 結帳, 提交订单, 送出訂單, 转账, 轉帳, 捐款, 汇款, 匯款
ja 購入, 支払う, 支払い, お支払い, 注文を確定, 注文する, 注文確定, 会計, レジに進む, 振り込む, 寄付する, 送金, 振込
ko 결제, 구매, 구입, 주문하기, 주문 완료, 송금, 기부하기, 이체, 계좌이체`,
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
en shut down, shutdown, power off, poweroff, power down, reboot, =restart, restart now, restart computer, restart the computer, restart system, restart your computer, restart and update, restart to update, update and restart, =turn off, turn off computer, turn off the computer, switch off computer, =halt, =hibernate, hibernate now, hibernate computer, =sleep, sleep now, put to sleep, =suspend, suspend now, suspend computer, suspend the computer, suspend session, =hybrid sleep, =standby, =stand by
de herunterfahren, ausschalten, =neu starten, jetzt neu starten, computer neu starten, neustarten, =neustart, =ruhezustand, in den ruhezustand, =bereitschaft, in bereitschaft, =energie sparen, =standby, =schlafen
fr éteindre, arrêter l ordinateur, arrêter le système, redémarrer, =redémarrage, mettre en veille, =veille, =hiberner, =hibernation, =veille prolongée, =suspendre
es apagar el equipo, apagar equipo, =apagar, =reiniciar, reiniciar ahora, reiniciar el equipo, reiniciar equipo, reiniciar el sistema, =hibernar, =suspender, =suspender equipo, suspender el equipo
it spegni, arresta il sistema, =arresta, riavvia, riavviare, =riavvio, =iberna, =ibernazione, =sospendi, =sospensione, =standby
pt desligar, =reiniciar, =reinício, reiniciar agora, reiniciar o computador, reiniciar o sistema, =encerrar, =hibernar, =suspender, =suspensão, suspender o computador
nl =uitschakelen, computer uitschakelen, computer afsluiten, herstarten, opnieuw opstarten, =uitzetten, =slaapstand, in slaapstand, =pauzestand, in pauzestand, =sluimerstand
pl wyłącz komputer, =wyłącz, uruchom ponownie, zrestartuj, =hibernuj, =hibernacja, =uśpij, =wstrzymaj, uśpij komputer
ru выключить компьютер, =выключить, =завершение работы, =завершить работу, =перезагрузить, перезагрузить компьютер, перезагрузить сейчас, перезагрузить систему, =перезагрузка, =перезапустить, =перезапуск, =спящий режим, =ждущий режим, =гибернация, в спящий режим, =режим сна, перевести в режим сна
uk вимкнути комп ютер, =вимкнути, =завершити роботу, =перезавантажити, перезавантажити комп ютер, перезавантажити зараз, =перезапустити, =перезапуск, =призупинити, =приспати, =режим сну, =сплячий режим, =гібернація, у сплячий режим
cs vypnout počítač, =vypnout, restartovat, =uspat, =hibernovat, =režim spánku, uspat do paměti, uspat počítač
tr bilgisayarı kapat, =gücü kapat, yeniden başlat, =uyku, =uykuya al, =askıya al, =hazırda beklet, bilgisayarı askıya al
zh 关机, 關機, 重启, 重新启动, 重新啟動, 重新開機, 关闭电源, 關閉電源, =休眠, =睡眠, =挂起, =掛起, =待机, =待機, 进入休眠
ja シャットダウン, 電源を切る, 電源オフ, 再起動, =スリープ, =休止状態, =サスペンド, 休止状態にする
ko 시스템 종료, 컴퓨터 끄기, 전원 끄기, 다시 시작, 재시작, =절전, =절전 모드, =최대 절전 모드, =대기 모드`,
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
en grant, =allow, always allow, allow always, allow once, allow all, allow access, allow this time, allow while, allow permission, allow notifications, allow camera, allow microphone, allow location, allow control, allow remote, allow screen, give access, give permission, =authorize, =authorise, authorize app, authorise app, authorize access, =permit, =trust, trust this, trust and, always trust, make administrator, transfer ownership, share screen, share your screen, share location, share your location, share my location, =unblock, add administrator
de =zulassen, immer zulassen, einmal zulassen, =erlauben, immer erlauben, einmal erlauben, gewähren, autorisieren, =vertrauen, immer vertrauen, zugriff gestatten, bildschirm freigeben, bildschirm teilen, standort teilen, zugriff erlauben, eigentum übertragen
fr autoriser, accorder, faire confiance, partager l écran, partager votre écran, partager la position, transférer la propriété
es =permitir, permitir siempre, permitir una vez, autorizar, conceder, =confiar, compartir pantalla, compartir la pantalla, compartir ubicación, transferir propiedad
it consenti, consentire, autorizza, concedi, concedere, condividi schermo, condividi lo schermo, condividi posizione
pt =permitir, permitir sempre, permitir uma vez, autorizar, conceder, compartilhar tela, partilhar ecrã, compartilhar localização
nl toestaan, machtigen, toestemming geven, =verlenen, =vertrouwen, scherm delen, locatie delen
pl zezwól, zezwalaj, pozwól, autoryzuj, przyznaj, udostępnij ekran, udostępnij lokalizację
ru =разрешить, всегда разрешать, разрешить один раз, предоставить доступ, =предоставить, дать доступ, =доверять, авторизовать, начать демонстрацию экрана, показать экран, передать права
uk =дозволити, завжди дозволяти, дозволити один раз, надати доступ, =надати, =довіряти, показати екран, почати показ екрана, передати права
cs =povolit, vždy povolit, povolit jednou, udělit, autorizovat, důvěřovat, sdílet obrazovku, sdílet polohu
tr =izin ver, her zaman izin ver, yetki ver, yetkilendir, =güven, ekranı paylaş, konumu paylaş
zh 允许, 允許, 授权, 授權, 授予, 信任, 共享屏幕, 分享螢幕, 共享位置, 转让所有权
ja 許可, 承認, 信頼, 画面を共有, 位置情報を共有
ko 허용, 권한 부여, 승인, 화면 공유, 위치 공유`,
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
