/** Phrases in which a sensitive word means something else; removed before a label is judged. One language per line. */
export const harmlessPhrases = `
en send to back, send feedback, delete line, delete selection, delete word, delete character, delete to end of line, delete to start of line, remove noise, safely remove, send backward, send backwards, send to background, send behind, resend code, delete key, remove formatting, remove direct formatting, remove filter, remove highlight, remove hyperlink, remove underline, pay attention, install guide, order by, dont pay, buy me a coffee, remove from selection, publish date, run length, kill line, trust center, dont remind me, remove background, wipe transition, allow multiple selection, remove split, clear all filters, clear all formatting, clear all highlights, clear all breakpoints, clear all selections, delete forward, delete backward, share price, share prices, upload speed, transfer speed, transfer rate, file transfer, remove blank lines, remove color, remove colour, remove spacing, remove border, remove borders, remove page break, remove indent, remove bullet, remove bullets, install date, purchase history, order history, sleep timer, kill ring, pay period
de nach hinten senden, löschen rückgängig, zeile löschen, auswahl löschen, suchfeld löschen, formatierung entfernen, direkte formatierung entfernen, filter entfernen, in den hintergrund senden
fr envoyer à l arrière, effacer la ligne, effacer la sélection, envoyer vers l arrière, supprimer la mise en forme
es enviar al fondo, eliminar la línea, eliminar la selección, enviar atrás, quitar formato, quitar filtro
it porta in fondo, elimina linea, elimina riga, elimina selezione, rimuovi formattazione, disponi
pt enviar para trás, apagar linha, apagar seleção, remover formatação
nl naar achtergrond verzenden, opnieuw uitvoeren, verwijder regel, verwijder selectie, opmaak verwijderen
pl wyślij na spód, usuń wiersz, usuń zaznaczenie, usuń formatowanie
ru отправить назад, удалить строку, удалить выделенный текст, удалить форматирование, установить по умолчанию, установить как, установить курсор, установить фильтр, выполнить поиск
uk відправити назад, видалити рядок, видалити обране, встановити як
cs odeslat dozadu, smazat řádek, smazat výběr, vymazat pole, odstranit formátování
tr arkaya gönder, satırı sil, seçimi sil, geri yükle, yeniden yükle, kilidini kaldır, kilidi kaldır, bağı kaldır, bağlantıyı kaldır
zh 正在删除, 正在安装, 正在移除, 正在提交, 正在发送, 已移除, 已终止, 允许的, 证书授权, 已删除, 已刪除, 最近删除, 删除线, 刪除線, 发送者, 發送者, 已发送, 已傳送, 传送门, 已安装, 已安裝, 安装日期, 安装指南, 购买记录, 支付方式, 发布日期, 发布者, 查找和替换, 查找与替换, 尋找與取代, 授权协议, 覆盖率
ja インストール中, 削除中, 送信中, 再起動が必要, 削除の取り消し, 行を削除, 選択範囲を削除, 許可した, 信頼できない, 破棄済み, 送信者, 送信済み, 送信済, 送信日, 削除済み, 削除済, 取り消し線, インストール済み, インストール済, 購入履歴, 投稿者, 投稿日, 再起動済み, 承認済み, 検索と置換
ko 설치 중, 제거 중, 삭제 중, 제거됨, 삭제 취소, 행 삭제, 선택 부분 삭제, 허용한, 허용하지, 파일 전송 프로토콜, 내보내기, 삭제됨, 삭제된, 설치됨, 설치된, 전송됨, 보낸, 뒤로 보내기, 맨 뒤로 보내기, 구매 내역, 결제 내역, 찾아 바꾸기`;

/** Words that negate the next one. */
export const undoingWords =
  "undo, cancel, dont, do not, never, rückgängig, annuler, deshacer, annulla, desfazer, ongedaan, cofnij, geri al, отменить, скасувати, zrušit";
/** Not negated: "don't save" loses changes. */
export const savingWords = "save, speichern, enregistrer, guardar, salvare, salvar, opslaan";

/** Buttons that only say yes: the text above them says to what. One language per line. */
export const agreeingLabels = `
en ok, okay, yes, yes to all, continue, proceed, confirm, apply, accept, agree, understand, am sure, im sure, go ahead, do it, finish, close anyway, quit anyway, yes continue
de ja, ja alle, weiter, fortfahren, bestätigen, anwenden, akzeptieren, zustimmen, einverstanden, fertig, trotzdem beenden
fr oui, oui pour tout, continuer, confirmer, appliquer, accepter, valider, accord, poursuivre, terminer
es sí, sí a todo, continuar, confirmar, aplicar, aceptar, de acuerdo, proceder
it sì, continua, conferma, applica, accetta, procedi, va bene, avanti
pt sim, continuar, confirmar, aplicar, aceitar, prosseguir
nl ja, doorgaan, bevestigen, toepassen, accepteren, akkoord
pl tak, kontynuuj, potwierdź, zastosuj, akceptuj, zgoda, dalej
ru да, ок, продолжить, подтвердить, применить, принять, согласен
uk так, гаразд, продовжити, підтвердити, застосувати, прийняти
cs ano, pokračovat, potvrdit, použít, přijmout, souhlasím
tr evet, tamam, devam, devam et, onayla, uygula, kabul et
zh 是, 确定, 确认, 继续, 应用, 同意, 好, 好的, 確定, 確認, 繼續, 套用
ja はい, 続ける, 続行, 確認, 適用, 同意する, 了解
ko 예, 네, 확인, 계속, 적용, 동의`;

/** Buttons that say no; never sensitive. */
export const decliningLabels = `
en cancel, no, close, back, go back, keep, keep it, not now, later, abort, dismiss, stay, help, never mind
de abbrechen, nein, schließen, zurück, behalten, später, hilfe
fr annuler, non, fermer, retour, garder, plus tard, aide
es cancelar, no, cerrar, volver, atrás, conservar, ahora no, ayuda
it annulla, no, chiudi, indietro, mantieni, aiuto
pt cancelar, não, fechar, voltar, manter, ajuda
nl annuleren, nee, sluiten, terug, behouden, hulp
pl anuluj, nie, zamknij, wstecz, zachowaj, pomoc
ru отмена, отменить, нет, закрыть, назад, оставить, справка
uk скасувати, ні, закрити, назад, залишити, довідка
cs zrušit, ne, zavřít, zpět, ponechat, nápověda
tr iptal, vazgeç, hayır, kapat, geri, sakla, yardım
zh 取消, 否, 不, 关闭, 返回, 保留
ja キャンセル, いいえ, 閉じる, 戻る, 中止
ko 취소, 아니요, 아니오, 닫기, 뒤로`;

/** Subjects of permissions: ticking a box grants something only if its label names one. */
export const permissionWords = `
en access, camera, microphone, location, notifications, permission, permissions, remote, control, screen sharing, background, sharing, passwords, contacts, tracking, unknown sources
de zugriff, kamera, mikrofon, standort, benachrichtigungen, berechtigung, fernzugriff, bildschirmfreigabe
fr accès, caméra, micro, position, localisation, notifications, autorisation
es acceso, cámara, micrófono, ubicación, notificaciones, permiso
it accesso, fotocamera, microfono, posizione, notifiche, permesso
pt acesso, câmera, câmara, microfone, localização, notificações, permissão
nl toegang, camera, microfoon, locatie, meldingen, toestemming
pl dostęp, kamera, mikrofon, lokalizacja, powiadomienia, uprawnienia
ru доступ, камера, камеры, микрофон, микрофона, местоположение, уведомления
uk доступ, камера, камери, мікрофон, місцезнаходження, сповіщення
cs přístup, kamera, mikrofon, poloha, oznámení, oprávnění
tr erişim, erişime, kamera, mikrofon, konum, bildirim
zh 访问, 存取, 摄像头, 相机, 麦克风, 位置, 通知, 权限
ja アクセス, カメラ, マイク, 位置情報, 通知
ko 접근, 액세스, 카메라, 마이크, 위치, 알림`;

/** Grant a permission, together with a word for one. */
export const allowingWords = `
en allow, permit, grant
de zulassen, erlauben, gestatten, gewähren
fr autoriser, permettre, accorder
es permitir, conceder, autorizar
it consenti, consentire, permetti, concedi
pt permitir, conceder, autorizar
nl toestaan, geven
pl zezwól, zezwalaj, pozwól
ru разрешить, разрешать, предоставить
uk дозволити, дозволяти, надати
cs povolit, udělit
tr izin ver
zh 允许, 允許
ja 許可
ko 허용`;
