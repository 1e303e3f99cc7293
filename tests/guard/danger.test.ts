import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findDangers } from "../../src/guard/danger/danger.ts";
import type { Request } from "../../src/guard/gate.ts";
import { type Danger, type Policy, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Command } from "../../src/model/command.ts";
import { type Role, roles } from "../../src/model/role.ts";
import { fc } from "../property.ts";
import { about, click, control, keys, press, typing } from "./sample-commands.ts";

const policy: Policy = { ...sandboxPolicy, sensitive: "ask" };
const find = (command: Command, request: Request): readonly Danger[] =>
  findDangers(command, request, policy).map(({ danger }) => danger);
const pressed = (label: string, role: Role = "button"): readonly Danger[] =>
  find(press(control(role, label)), about(control(role, label)));

/** Button labels in more than fifteen languages. */
const sensitive: Readonly<Record<string, readonly string[]>> = {
  delete: [
    ...["Delete", "Delete 3 files", "Yes, delete it", "Permanently delete", "Move to Trash", "Empty Trash", "Remove"],
    ...["Erase disk", "Discard changes", "Don't Save", "Close without Saving", "Clear browsing data", "Factory reset"],
    ...["Löschen", "Endgültig löschen", "Entfernen", "Papierkorb leeren", "Supprimer", "Effacer", "Eliminar", "Borrar"],
    ...["Elimina", "Cancella tutto", "Rimuovi", "Excluir", "Apagar", "Verwijderen", "Usuń", "Удалить", "Видалити"],
    ...[
      "Smazat",
      "Odstranit",
      "Sil",
      "SİL",
      "Kaldır",
      "删除",
      "刪除",
      "删除文件",
      "削除",
      "削除(D)",
      "ゴミ箱に移動",
      "삭제",
    ],
    ...["삭제하기", "🗑", "🗑️"],
  ],
  send: [
    ...["Send", "Send message", "Submit", "Publish", "Resend", "Senden", "Abschicken", "Envoyer", "Enviar", "Invia"],
    ...["Verzenden", "Wyślij", "Отправить", "Надіслати", "Odeslat", "Gönder", "发送", "傳送", "送信", "보내기", "전송"],
  ],
  pay: [
    ...["Pay", "Pay $12.50", "Buy now", "Purchase", "Checkout", "Place order", "Place your order", "Order"],
    ...["Bezahlen", "Kaufen", "Zahlungspflichtig bestellen", "Payer", "Acheter", "Commander", "Pagar", "Comprar"],
    ...[
      "Paga",
      "Acquista",
      "Betalen",
      "Kopen",
      "Zapłać",
      "Kup",
      "Оплатить",
      "Купить",
      "Оплатити",
      "Zaplatit",
      "Koupit",
    ],
    ...["Öde", "Satın al", "付款", "立即购买", "購入", "注文を確定する", "결제하기", "구매"],
  ],
  overwrite: [
    ...["Overwrite", "Replace", "Überschreiben", "Ersetzen", "Écraser", "Remplacer", "Sobrescribir", "Reemplazar"],
    ...["Sovrascrivi", "Sostituisci", "Sobrescrever", "Substituir", "Overschrijven", "Vervangen", "Nadpisz", "Zastąp"],
    ...["Перезаписать", "Заменить", "Перезаписати", "Přepsat", "Üzerine yaz", "覆盖", "替换", "上書き", "덮어쓰기"],
  ],
  "log-out": [
    ...[
      "Log out",
      "Log Out…",
      "Logout",
      "Log-out",
      "Sign out",
      "Log off",
      "Abmelden",
      "Se déconnecter",
      "Cerrar sesión",
    ],
    ...["Termina sessione", "Terminar sessão", "Afmelden", "Wyloguj się", "Завершить сеанс", "Вийти з системи"],
    ...["Odhlásit se", "Oturumu kapat", "注销", "ログアウト", "로그아웃"],
  ],
  "shut-down": [
    ...["Shut Down", "Shutdown", "Power Off…", "Restart", "Restart Now", "Reboot", "Herunterfahren", "Neu starten"],
    ...["Éteindre", "Redémarrer", "Reiniciar", "Spegni", "Riavvia", "Desligar", "Herstarten", "Uruchom ponownie"],
    ...[
      "Перезагрузить",
      "Выключить",
      "Перезавантажити",
      "Restartovat",
      "Yeniden başlat",
      "关机",
      "再起動",
      "시스템 종료",
    ],
  ],
  install: [
    ...["Install", "Install Now", "Uninstall", "Reinstall", "Installieren", "Deinstallieren", "Installer", "Instalar"],
    ...["Installa", "Desinstalar", "Installeren", "Zainstaluj", "Установить", "Встановити", "Nainstalovat", "Yükle"],
    ...["安装", "卸载", "インストール", "설치"],
  ],
  grant: [
    ...["Allow", "Always Allow", "Allow access", "Grant", "Authorize", "Zulassen", "Erlauben", "Autoriser", "Permitir"],
    ...["Consenti", "Toestaan", "Zezwól", "Разрешить", "Дозволити", "Povolit", "İzin ver", "允许", "許可", "허용"],
  ],
  "end-program": ["Force Quit", "End Process", "Kill", "Sofort beenden", "Forcer à quitter", "Принудительно завершить"],
  "run-program": ["Run in Terminal", "Run anyway", "Execute", "Ausführen", "Exécuter", "Ejecutar", "Выполнить"],
};

describe("a button is sensitive", () => {
  for (const [danger, labels] of Object.entries(sensitive)) {
    test(`that says it will ${danger}, in any of the languages`, () => {
      const missed = labels.filter((label) => !pressed(label).some((found) => found === danger));
      expect(missed).toEqual([]);
    });
  }

  test("also with the pointer, as a menu item, a link, and an opened list entry", () => {
    for (const role of ["button", "toggle", "menuitem", "link", "option", "treeitem", "icon"] as const) {
      expect(pressed("Delete account", role)).toEqual(["delete"]);
      expect(find(click, about(control(role, "Delete account")))).toEqual(["delete"]);
    }
  });

  test("by its accessible name if it shows only a picture, and by its id if it has none", () => {
    const icon = { ...control("button", ""), description: "Delete this message" };
    expect(find(press(icon), about(icon))).toEqual(["delete"]);
    const bare = { ...control("button", "✈"), platformId: "send-button" };
    expect(find(click, about(bare))).toEqual(["send"]);
  });

  test("if the pointer hits the picture in it", () => {
    const request = { ...about(control("image", "icon")), within: () => [control("button", "Delete")] };
    expect(find(click, request)).toEqual(["delete"]);
  });

  test("by the name of the requested action", () => {
    const entry = control("treeitem", "notes");
    for (const action of ["delete", "Move to trash", "moveToTrash", "delete-file"]) {
      expect(find({ kind: "invoke", element: entry, action }, about(entry))).toEqual(["delete"]);
    }
    expect(find({ kind: "invoke", element: entry, action: "activate" }, about(entry))).toEqual([]);
  });

  test("by words that the policy adds", () => {
    const own: Policy = { ...policy, words: { send: ["Launch rocket", "Αποστολή"], pay: ["go on"] } };
    const judge = (label: string) =>
      findDangers(click, about(control("button", label)), own).map(({ danger }) => danger);
    expect(judge("_Launch Rocket…")).toEqual(["send"]);
    expect(judge("ΑΠΟΣΤΟΛΉ")).toEqual(["send"]);
    expect(judge("Go on!")).toEqual(["pay"]);
    expect(judge("On")).toEqual([]);
    expect(judge("Launch")).toEqual([]);
  });
});

describe("a command is harmless", () => {
  test("on each of more than a thousand labels of everyday menus, buttons and lists", () => {
    const rows = readFileSync(join(import.meta.dir, "../fixtures/everyday-labels.tsv"), "utf8")
      .trim()
      .split("\n");
    const isRole = (name: string): name is Role => roles.some((role) => role === name);
    const wrong = rows.filter((row) => {
      const [role = "", label = ""] = row.split("\t");
      if (!isRole(role)) throw new Error(`no role ${role}`);
      return pressed(label, role).length > 0 || find(click, about(control(role, label))).length > 0;
    });
    expect(rows.length).toBeGreaterThan(1000);
    expect(wrong).toEqual([]);
  });

  test("that only shows, moves or writes: a menu, the focus, a field, the wheel, a right click", () => {
    const button = control("button", "Delete");
    const deeds: readonly Command[] = [
      { kind: "focus", element: button },
      { kind: "reveal", element: button },
      { kind: "invoke", element: button, action: "show menu" },
      { kind: "point", point: { x: 1, y: 1 } },
      { kind: "wheel", point: { x: 1, y: 1 }, direction: "down", amount: 3 },
      { ...click, button: "right" },
      { kind: "set-text", element: button, text: "delete everything" },
    ];
    for (const command of deeds) expect(find(command, about(button))).toEqual([]);
    expect(find(click, about(control("input", "Send to")))).toEqual([]);
    expect(find(click, about(control("menuitem", "Delete", "haspopup")))).toEqual([]);
  });

  test("that only selects an entry: through accessibility, one of several options, or a checked one", () => {
    const entry = control("option", "Delete", "selectable");
    expect(find({ kind: "select", element: entry, isSelected: true }, about(entry))).toEqual([]);
    const choice = { ...about(entry), within: () => [control("select", "What to do")] };
    expect(find(click, choice)).toEqual([]);
    const ticked = control("cell", "Delete", "selectable", "checkable");
    expect(find(click, about(ticked))).toEqual([]);
    // In some lists one click opens an entry; no platform reports which.
    for (const count of [1, 2, 3] as const) expect(find({ ...click, count }, about(entry))).toEqual(["delete"]);
  });

  test("that replaces a searched text", () => {
    const replace = control("button", "Replace");
    expect(find(click, about(replace, "Find and Replace", "Search for:", "Replace with:"))).toEqual([]);
    expect(find(click, about(replace, "", "A file named “a” already exists. Do you want to replace it?"))).toEqual([
      "overwrite",
    ]);
  });

  test("that closes a window or asks a program to quit; force-quitting is not", () => {
    const { window } = about(undefined, "Notes");
    if (window === undefined) throw new Error("no window");
    expect(find({ kind: "window", window, operation: { name: "close" } }, about(undefined))).toEqual([]);
    expect(find({ kind: "quit", windows: [window], pid: 77 }, about(undefined))).toEqual([]);
    expect(find({ kind: "terminate", window }, about(undefined))).toEqual(["end-program"]);
  });

  test("that checks a box, unless it gives a permission", () => {
    expect(pressed("Delete cookies when closing", "checkbox")).toEqual([]);
    expect(pressed("Allow access to the camera", "switch")).toEqual(["grant"]);
  });
});

describe("a dialog that asks something sensitive", () => {
  const question = "Delete 3 files? This cannot be undone.";

  test("makes its yes sensitive, in every language, but not its no", () => {
    const labels = ["OK", "_Yes", "Continue", "Proceed", "Confirm", "Ja", "Oui", "Sí", "Sì", "Sim", "Tak", "Да", "Так"];
    for (const label of [...labels, "Ano", "Evet", "确定", "はい", "확인", "✓"]) {
      expect(find(click, about(control("button", label), "Question", question))).toEqual(["delete"]);
    }
    for (const label of ["Cancel", "No", "_Close", "Abbrechen", "Nein", "Annuler", "Help", "Keep", "取消"]) {
      expect(find(click, about(control("button", label), "Question", question))).toEqual([]);
    }
  });

  test("by its title, too, and in other languages", () => {
    const ok = control("button", "OK");
    expect(find(click, about(ok, "Confirm Delete"))).toEqual(["delete"]);
    expect(find(click, about(ok, "Overwrite?"))).toEqual(["overwrite"]);
    expect(find(click, about(ok, "", "Möchten Sie die Datei wirklich löschen?"))).toEqual(["delete"]);
    expect(find(click, about(ok, "", "Voulez-vous supprimer ce fichier ?"))).toEqual(["delete"]);
    expect(find(click, about(ok, "", "确定要删除吗？"))).toEqual(["delete"]);
    expect(find(click, about(ok, "", "Are you sure you want to quit and lose unsaved changes?"))).toEqual(["delete"]);
  });

  test("is not one that asks something else, or a page that talks about it", () => {
    const ok = control("button", "OK");
    expect(find(click, about(ok, "Preferences", "Choose a colour", "Do you like it?"))).toEqual([]);
    expect(find(click, about(ok, "Help", "How do I delete a file?", "Press the key."))).toEqual([]);
    expect(find(click, about(ok, "delete-me.txt - Mousepad"))).toEqual([]);
  });
});

describe("a key is sensitive", () => {
  test("that presses the focused control", () => {
    for (const key of ["Return", "KP_Enter", " "]) {
      expect(find(keys(key), about(control("button", "Delete", "focused")))).toEqual(["delete"]);
    }
    expect(find(keys("Tab"), about(control("button", "Delete", "focused")))).toEqual([]);
    expect(find(keys("Return"), about(control("button", "Refresh", "focused")))).toEqual([]);
  });

  test("that says yes to a sensitive question, but not one that leaves it", () => {
    const yes = control("button", "Yes", "focused");
    const ask = (command: Command, element = yes) => find(command, about(element, "Question", "Delete 3 files?"));
    for (const command of [keys("Return"), keys("y", "alt"), keys("y"), typing("\n"), typing("y")]) {
      expect(ask(command)).toEqual(["delete"]);
    }
    for (const command of [keys("Escape"), keys("Tab"), keys("Left")]) expect(ask(command)).toEqual([]);
    const no = control("button", "No", "focused");
    expect(ask(keys("Return"), no)).toEqual([]);
    expect(ask(typing("\t\n"), no)).toEqual(["delete"]);
  });

  test("that deletes the selection, but not one that deletes a letter", () => {
    const row = control("cell", "report.odt", "focused");
    const field = control("input", "Name", "focused", "editable");
    for (const combo of [keys("Delete"), keys("Delete", "shift"), keys("d", "ctrl"), keys("BackSpace", "super")]) {
      expect(find(combo, about(row))).toEqual(["delete"]);
      expect(find(combo, about(field))).toEqual([]);
    }
    expect(find(keys("Delete"), about(undefined))).toEqual(["delete"]);
  });

  test("that sends a message or ends the session", () => {
    const line = control("input", "Message", "focused", "editable");
    expect(find(keys("Return"), about(line, "Chat", "Send"))).toEqual(["send"]);
    expect(find(typing("hello\n"), about(line, "Chat", "Send"))).toEqual(["send"]);
    expect(find(typing("hello"), about(line, "Chat", "Send"))).toEqual([]);
    const body = control("input", "Body", "focused", "editable", "multiline");
    expect(find(keys("Return", "ctrl"), about(body, "Mail", "Send"))).toEqual(["send"]);
    expect(find(keys("Delete", "ctrl", "alt"), about(body))).toEqual(["log-out"]);
  });

  test("that may send what a field of several lines holds, unless it is an editor's", () => {
    const many = Array.from({ length: 50 }, (_, index) => `text ${index}`);
    const composer = control("input", "Message", "focused", "editable", "multiline");
    const editor = { ...composer, bounds: { x: 0, y: 20, width: 400, height: 160 } };
    for (const line of [keys("Return"), keys("KP_Enter"), keys("Return", "ctrl"), typing("Dear all,\nhello")]) {
      expect(find(line, about(composer, "Chat"))).toEqual(["send"]);
      expect(find(line, about({ ...composer, bounds: undefined }, "Chat"))).toEqual(["send"]);
      expect(find(line, about(editor, "Letter", ...many))).toEqual([]);
      // A small window around it is a form.
      expect(find(line, about(editor, "Reply", "Send"))).toEqual(["send"]);
    }
    const paragraph = {
      ...about(composer, "Letter", ...many),
      within: () => [{ ...editor, role: "document" as const }],
    };
    expect(find(keys("Return"), paragraph)).toEqual([]);
    const inPage = { ...paragraph, within: () => [control("web", "Talk"), { ...editor, role: "document" as const }] };
    expect(find(keys("Return"), inPage)).toEqual(["send"]);
    expect(find(typing("hello"), about(composer, "Chat"))).toEqual([]);
  });

  test("that confirms a small window with a sensitive button, wherever the focus is", () => {
    const field = control("input", "Type its name to confirm", "focused", "editable");
    const box = control("checkbox", "All of them", "focused");
    for (const element of [field, box, undefined]) {
      expect(find(keys("Return"), about(element, "Repository", "Delete this repository", "Cancel"))).toEqual([
        "delete",
      ]);
    }
    const many = Array.from({ length: 50 }, (_, index) => `text ${index}`);
    expect(find(keys("Return"), about(field, "Files", "Delete", ...many))).toEqual([]);
    const shop = about(field, "A shop", "Buy now", ...many);
    expect(find(keys("Return"), shop)).toEqual(["pay"]);
    expect(find(keys("Return"), { ...shop, within: () => [control("toolbar", "Navigation")] })).toEqual([]);
  });

  test("that sleeps, shuts down, logs out or leaves the session, whatever has the focus", () => {
    const field = control("input", "Name", "focused", "editable");
    for (const [danger, ...pressed] of [
      ["shut-down", ...["XF86PowerOff", "XF86Sleep", "XF86Suspend", "XF86Hibernate"].map((key) => keys(key))],
      ["shut-down", keys("XF86Sleep", "shift"), keys("End", "ctrl", "alt"), keys("Page_Down", "ctrl", "alt", "shift")],
      ["log-out", keys("XF86LogOff"), keys("Delete", "ctrl", "alt"), keys("BackSpace", "alt", "ctrl")],
      ["log-out", keys("Delete", "ctrl", "alt", "shift"), keys("F1", "ctrl", "alt"), keys("XF86Switch_VT_2")],
    ] as const) {
      for (const combo of pressed)
        for (const element of [field, undefined]) expect(find(combo, about(element))).toEqual([danger]);
    }
    for (const combo of [keys("End"), keys("End", "ctrl"), keys("F1"), keys("F4", "alt"), keys("Page_Down", "ctrl")])
      expect(find(combo, about(field))).toEqual([]);
  });

  test("that is the mnemonic of a sensitive entry or button", () => {
    const entry = control("menuitem", "Open", "focused");
    expect(find(keys("d"), about(entry, "Files", "Open", "Delete"))).toEqual(["delete"]);
    expect(find(keys("o"), about(entry, "Files", "Open", "Send"))).toEqual([]);
    expect(find(keys("d", "alt"), about(undefined, "Account", "Delete account"))).toEqual(["delete"]);
  });

  test("in a text that tabs to a sensitive button", () => {
    const line = control("input", "Name", "focused", "editable");
    expect(find(typing("x\t "), about(line, "Account", "Delete account"))).toEqual(["delete"]);
    expect(find(typing("x\ty"), about(line, "Account", "Delete account"))).toEqual([]);
  });
});

test("dropping something on a trash deletes it", () => {
  const drag: Command = { kind: "drag", from: { x: 0, y: 0 }, to: { x: 300, y: 300 }, button: "left" };
  for (const name of ["Trash", "Papierkorb", "Corbeille", "Корзина", "回收站", "ゴミ箱"]) {
    expect(find(drag, { ...about(control("icon", "a.txt")), onto: control("icon", name) })).toEqual(["delete"]);
  }
  expect(find(drag, { ...about(control("icon", "a.txt")), onto: control("icon", "Documents") })).toEqual([]);
  const button = control("button", "Delete");
  expect(find({ ...drag, to: { x: 5, y: 5 } }, { ...about(button), onto: button })).toEqual(["delete"]);
});

test("a drag from one part of a button to another presses it", () => {
  const wide = { ...control("button", "Delete account"), bounds: { x: 0, y: 0, width: 300, height: 20 } };
  const inside = { ...about(control("text", "account")), within: () => [wide], onto: control("text", "now") };
  const drag: Command = { kind: "drag", from: { x: 5, y: 5 }, to: { x: 250, y: 5 }, button: "left" };
  expect(find(drag, inside)).toEqual(["delete"]);
  expect(find({ ...drag, to: { x: 350, y: 5 } }, inside)).toEqual([]);
});

describe("opening", () => {
  const open = (opener: Partial<Parameters<typeof toCommand>[0]>) => find(toCommand(opener), { tool: "open" });
  const toCommand = (opener: {
    kind?: "application" | "program";
    args?: string[];
    path?: string;
    what?: string;
  }): Command => ({
    kind: "open",
    opener: { what: "x", kind: "application", args: [], words: "x", command: ["/usr/bin/x"], names: ["x"], ...opener },
  });

  test("an application or a document is harmless", () => {
    expect(open({ what: "org.gnome.Calculator.desktop" })).toEqual([]);
    expect(open({ what: "notes.txt", path: "/people/me/notes.txt" })).toEqual([]);
    expect(open({ what: "https://example.com" })).toEqual([]);
  });

  test("any other program, one with arguments, or a script runs a program", () => {
    expect(open({ kind: "program", what: "/bin/sh" })).toEqual(["run-program"]);
    expect(open({ args: ["-e", "rm -rf ~"] })).toEqual(["run-program"]);
    for (const path of ["/d/a.sh", "/d/a.AppImage", "/d/a.desktop", "/d/a.jar"]) {
      expect(open({ path })).toEqual(["run-program"]);
    }
  });

  test("a package installs", () => {
    for (const path of ["/d/a.deb", "/d/a.RPM", "/d/a.flatpakref"]) expect(open({ path })).toEqual(["install"]);
    expect(open({ what: "apt:vlc" })).toEqual(["install"]);
  });
});

describe("however it is disguised", () => {
  const alike: Readonly<Record<string, string>> = { a: "а", e: "е", o: "о", c: "с", p: "р", i: "і", s: "ѕ", l: "ӏ" };
  const unseen = ["\u200b", "\u00ad", "\u2060", "\u202e", "\ufeff", "\u034f", "\u3164", "\u0301"];
  const dress = fc.record({
    caseOf: fc.constantFrom("as it is", "upper", "lower"),
    wide: fc.boolean(),
    swap: fc.boolean(),
    unseen: fc.constantFrom("", ...unseen),
    at: fc.nat(30),
    mark: fc.constantFrom("", "_", "&"),
    before: fc.constantFrom("", " ", "\t", "  ", "… ", "→ "),
    after: fc.constantFrom("", "…", "...", "\tDel", " (D)", "\tCtrl+D", " Shift+Del", " (3)", "!", "  "),
  });
  const plain = Object.values(sensitive)
    .flat()
    .filter((label) => /^[A-Za-z ]+$/.test(label));

  test("a sensitive label stays sensitive", () => {
    fc.assert(
      fc.property(fc.constantFrom(...plain), dress, (label, worn) => {
        let text =
          worn.caseOf === "upper" ? label.toUpperCase() : worn.caseOf === "lower" ? label.toLowerCase() : label;
        const place = worn.at % (text.length + 1);
        text = text.slice(0, place) + worn.unseen + text.slice(place);
        const letter = /\p{L}/u.test(text[worn.at % text.length] ?? "") ? worn.at % text.length : 0;
        text = text.slice(0, letter) + worn.mark + text.slice(letter);
        if (worn.swap) text = [...text].map((one) => alike[one] ?? one).join("");
        if (worn.wide) text = [...text].map(widen).join("");
        expect(pressed(worn.before + text + worn.after)).not.toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test("spaced letters, small capitals and homoglyphs do not help", () => {
    for (const label of [
      "D e l e t e",
      "ᴅᴇʟᴇᴛᴇ",
      "DeIete",
      "De1ete",
      "De|ete",
      "lnstaII",
      "𝐃𝐞𝐥𝐞𝐭𝐞",
      "Ｓｅｎｄ",
      "D̶e̶l̶e̶t̶e̶",
    ]) {
      expect(pressed(label)).not.toEqual([]);
    }
  });

  test("a megabyte of it is judged quickly", () => {
    expect(pressed(`Delete ${"x".repeat(1 << 20)}`)).toEqual(["delete"]);
  });
});

function widen(letter: string): string {
  const code = letter.charCodeAt(0);
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code + 0xfee0) : letter;
}
