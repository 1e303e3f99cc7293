import { describe, expect, test } from "bun:test";
import { findDangers } from "../../src/guard/danger/danger.ts";
import { type Danger, type Policy, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Role } from "../../src/model/role.ts";
import { about, click, control, press } from "./sample-commands.ts";

const policy: Policy = { ...sandboxPolicy, sensitive: "ask" };

function judge(label: string, role: Role = "button", title = "", ...texts: string[]): readonly Danger[] {
  const element = control(role, label);
  const request = about(element, title, ...texts);
  const found = [press(element), click].flatMap((command) => findDangers(command, request, policy));
  return [...new Set(found.map(({ danger }) => danger))];
}

describe("a button is sensitive", () => {
  const sensitive: Readonly<Partial<Record<Danger, readonly string[]>>> = {
    delete: [
      ...["Clear all", "Clear All…", "Clear everything", "Drop table", "Drop Database", "Truncate table", "Erase"],
      ...["Erase all content", "Wipe", "Wipe disk", "Factory reset", "Reset to factory settings", "Revoke"],
      ...["Revoke access", "Revoke all tokens", "Unsubscribe", "Cancel subscription", "Cancel my subscription"],
      ...["Alles leeren", "Widerrufen", "Abbestellen", "Tout effacer", "Révoquer", "Se désabonner", "Borrar todo"],
      ...["Revocar", "Darse de baja", "Cancella tutto", "Revoca", "Annulla abbonamento", "Limpar tudo", "Revogar"],
      ...["Alles wissen", "Intrekken", "Wyczyść wszystko", "Wypisz się", "Очистить всё", "Отозвать", "Отписаться"],
      ...["Очистити все", "Відписатися", "Vymazat vše", "Zrušit odběr", "Tümünü temizle", "全部清除", "退订"],
      ...["すべてクリア", "配信停止", "모두 지우기", "구독 취소"],
    ],
    send: [
      ...[
        "Upload",
        "Upload file",
        "Upload to server",
        "Share",
        "Share…",
        "Share link",
        "Share with everyone",
        "Publish",
      ],
      ...["Make public", "Make this repository public?", "Go live", "Hochladen", "Teilen", "Öffentlich machen"],
      ...["Partager", "Rendre public", "Compartir", "Hacer público", "Condividi", "Compartilhar", "Partilhar", "Delen"],
      ...["Udostępnij", "Поделиться", "Поділитися", "Sdílet", "Paylaş", "上传", "分享", "アップロード", "共有", "공유"],
    ],
    pay: ["Transfer", "Transfer now", "Transfer funds", "Send money", "Transferir", "Bonifico", "汇款", "送金", "이체"],
    "shut-down": [
      ...[
        "Hibernate",
        "Sleep",
        "Suspend",
        "Suspend now",
        "Hybrid sleep",
        "Put to sleep",
        "Ruhezustand",
        "Mettre en veille",
      ],
      ...["Suspender", "Hibernar", "Sospendi", "Slaapstand", "Uśpij", "Спящий режим", "Призупинити", "Uspat", "Uyku"],
      ...["休眠", "スリープ", "절전"],
    ],
    grant: ["Transfer ownership", "Share your screen", "Share my location", "Bildschirm freigeben", "画面を共有"],
  };
  for (const [danger, labels] of Object.entries(sensitive)) {
    test(`that says it will ${danger}, by the rarer words`, () => {
      // A question is the text of a dialog, and its yes is just as sensitive.
      const missed = labels.filter((label) => {
        const found = label.endsWith("?") ? judge("Yes", "button", "", label) : judge(label);
        return !found.some((one) => one === danger);
      });
      expect(missed).toEqual([]);
    });
  }
});

/** Each contains a word that is sensitive elsewhere, on purpose. */
const harmless: Readonly<Partial<Record<Role, readonly string[]>>> = {
  button: [
    // Moves, marks or shows something; gives nothing away.
    ...["Send to back", "Send backward", "Send to background", "Order by date", "Sort order", "Bring to front"],
    ...["Sent items", "Sender", "Deleted items", "Recently deleted", "Removed filters", "Installed", "Installed apps"],
    ...["Purchases", "Purchase history", "Order history", "Payment methods", "Payees", "Shared with me", "Shares"],
    ...["Share price", "Uploads", "Upload speed", "Transfers", "Transfer speed", "File transfer", "Transfer rate"],
    // Removes only formatting, a mark or an appearance, which undo restores.
    ...["Clear formatting", "Clear all formatting", "Clear all filters", "Clear search", "Clear", "Clear selection"],
    ...["Remove formatting", "Remove filter", "Remove hyperlink", "Remove page break", "Remove borders", "Delete line"],
    ...["Delete word", "Delete selection", "Eraser", "Remove highlight", "Remove bullets", "Clear all highlights"],
    // Information about it, or a way out of it.
    ...["Delete key help", "Install guide", "Cancel delete", "Don't delete", "Undo delete", "Undo send", "Never share"],
    ...["Cancel upload", "Do not install", "Publish date", "Publisher", "Public", "Pay attention", "Payload", "Buyer"],
    ...["Sleep timer", "Sleepy mode", "Suspended tabs", "Hibernate mapping", "Drop shadow", "Drop cap", "Dropdown"],
    ...["Killer feature", "Kill ring", "Runtime", "Runners", "Trust center", "Allowed sites", "Granted", "Revoked"],
    ...["Subscribe", "Subscriptions", "Reset zoom", "Reset view", "Format painter", "Format text", "Overwritten"],
  ],
  // Names of people's own things: titles of documents, messages, songs.
  cell: [
    ...["Market share report 2025", "How to share a car with your neighbours", "Let me sleep on it, please"],
    ...["The day we could not send anything home", "Who will pay for the old town hall", "delete-me.txt", "share.odt"],
  ],
  input: ["Share", "Delete", "Send to", "Transfer"],
  tab: ["Share", "Upload", "Transfer", "Install"],
  menu: ["Share", "Delete", "Send to"],
  checkbox: ["Delete after a month", "Share diagnostics", "Sleep when idle", "Upload crash reports"],
};

describe("a command is harmless", () => {
  test("on each of more than a hundred labels that only sound sensitive", () => {
    const all = Object.entries(harmless) as [Role, readonly string[]][];
    const wrong = all.flatMap(([role, labels]) => {
      return labels.flatMap((label) => {
        const found = judge(label, role);
        return found.length === 0 ? [] : [`${role} ${label}: ${found.join()}`];
      });
    });
    expect(wrong).toEqual([]);
    expect(all.flatMap(([, labels]) => labels).length).toBeGreaterThan(100);
  });

  test("on an OK below a document with a sensitive title", () => {
    for (const title of ["Share of the market.odt - Writer", "Send-off party - Mail", "sleep.mp3 — Player"]) {
      expect([title, judge("OK", "button", title)]).toEqual([title, []]);
    }
    expect(judge("OK", "button", "Share this folder?")).toEqual(["send"]);
  });
});

test("look-alike letters and symbols within a word are read as they look", () => {
  for (const label of [
    ...[
      "Ðelete",
      "Dеlete",
      "Dеlеtе",
      "ԁelete",
      "Ｄｅｌｅｔｅ",
      "De\u200blete",
      "D\u200de\u2060lete",
      "Délété",
      "D\u0301elete",
    ],
    ...["Ⓓⓔⓛⓔⓣⓔ", "🅳🅴🅻🅴🆃🅴", "🅓🅔🅛🅔🅣🅔", "🇩🇪🇱🇪🇹🇪", "ꓓꓰꓡꓰꓔꓰ", "ᎠᎬᏞᎬᎢᎬ", "Dɛlɛtɛ", "Dєlєtє", "ɗelete", "deǀete"],
    ...["De-lete", "D.e.l.e.t.e", "D3l3te", "D€l€te", "de\u00adlete", "𝔇𝔢𝔩𝔢𝔱𝔢", "ᴅᴇʟᴇᴛᴇ"],
  ]) {
    expect([label, judge(label)]).toEqual([label, ["delete"]]);
  }
  for (const label of ["$end", "Sеnd", "ꓢend", "Şend", "Ѕhаre", "Uрlоаd", "Ｓｈａｒｅ"]) {
    expect([label, judge(label)]).toEqual([label, ["send"]]);
  }
});
