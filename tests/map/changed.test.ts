import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import { isLastingId } from "../../src/map/lasting-id.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { foldName } from "../../src/map/unmatched.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { openGuard } from "../guard/open-guard.ts";
import { button, Desk, makeMapFolder, text } from "./desk.ts";

const folder = makeMapFolder();
let store: SqliteStore;
beforeAll(() => {
  store = folder.open();
});
afterAll(() => {
  store.close();
  folder.remove();
});

const bar: readonly ControlSketch[] = [
  { role: "toolbar", children: [button("Back"), button("Play"), button("Louder"), button("Inbox (3)")] },
  { role: "group", children: [text("Speed"), button("Faster")] },
];

function openPlayer(...more: readonly ControlSketch[]): Desk {
  return new Desk(store, { title: "Player", children: [...bar, ...more] });
}

function order(desk: Desk, mark: number): ReturnType<typeof act> {
  const desktop = { platform: desk.fake.open(), marks: store, guard: openGuard(desk.fake) };
  const click = { kind: "click", button: "left", count: 1 } as const;
  const aim = { by: "mark", mark } as const;
  return act(desktop, { tool: "click", aim, order: click, isDryRun: false, timeoutMs: 1000 });
}

async function press(desk: Desk, mark: number): Promise<string> {
  desk.fake.pressed.splice(0);
  const done = await order(desk, mark);
  return done.ok ? `pressed ${desk.fake.pressed.map(({ name }) => name).join()}` : done.failure.code;
}

describe("a control with new words", () => {
  test("keeps its mark and taught name, and a lookup says so", async () => {
    const desk = openPlayer();
    const play = desk.find("Play");
    const mark = await desk.markOf(play);
    store.teach(mark, "start the music");
    play.rename("Pause");
    expect(await desk.markOf(play)).toBe(mark);
    expect(store.findRef(mark)?.name).toBe("Pause");
    expect(store.findLearned([mark]).get(mark)?.taught).toBe("start the music");
  });

  test("is not pressed by its mark until it was shown with its new words", async () => {
    const desk = openPlayer();
    const play = desk.find("Play");
    const mark = await desk.markOf(play);
    play.rename("Format");
    expect(await press(desk, mark)).toBe("NOT_FOUND");
    expect(await press(desk, mark)).toBe("NOT_FOUND");
    await desk.look();
    expect(await press(desk, mark)).toBe("pressed Format");
    // And back: it has not been shown with these words since.
    play.rename("Play");
    expect(await press(desk, mark)).toBe("NOT_FOUND");
    expect(await desk.markOf(play)).toBe(mark);
    expect(await press(desk, mark)).toBe("pressed Play");
  });

  test("is named by the refusal, before anything that is only similar", async () => {
    const desk = openPlayer(button("Play list"));
    const mark = await desk.markOf(desk.find("Play"));
    desk.find("Play").rename("Format");
    const done = await order(desk, mark);
    expect(done.ok ? [] : done.failure.nearest).toEqual(["btn Format", "btn Play list", expect.any(String)]);
  });

  test("keeps its mark though another kind of control has had its former words all along", async () => {
    const desk = openPlayer({ role: "group", name: "0", children: [] }, button("0"));
    const display = desk.find("0");
    const mark = await desk.markOf(display);
    display.rename("7");
    expect(await desk.markOf(display)).toBe(mark);
  });

  test("is pressed once it was shown, each time it changes back and forth", async () => {
    const desk = openPlayer();
    const play = desk.find("Play");
    const mark = await desk.markOf(play);
    for (const words of ["Pause", "Play", "Pause", "Play"]) {
      play.rename(words);
      expect(await press(desk, mark)).toBe("NOT_FOUND");
      expect(await desk.markOf(play)).toBe(mark);
      expect(await press(desk, mark)).toBe(`pressed ${words}`);
    }
  });

  test("is not accepted by a read that shows only other things", async () => {
    const desk = openPlayer();
    const play = desk.find("Play");
    const mark = await desk.markOf(play);
    play.rename("Pause");
    await desk.look({ roles: new Set(["text"]) });
    expect(await press(desk, mark)).toBe("NOT_FOUND");
    expect(await desk.markOf(play)).toBe(mark);
  });

  test("keeps its mark though something else shows its former words now", async () => {
    const desk = openPlayer();
    const play = desk.find("Play");
    const mark = await desk.markOf(play);
    play.rename("Pause");
    desk.find("Speed").rename("Play");
    const added = play.parent?.insert(button("Play"), 0);
    if (added === undefined) throw new Error("no tool bar");
    expect(await press(desk, mark)).toBe("NOT_FOUND");
    expect(await desk.markOf(play)).toBe(mark);
    expect(await desk.markOf(added)).not.toBe(mark);
  });

  test("keeps its mark though others of its kind changed too", async () => {
    const desk = openPlayer();
    const controls = ["Back", "Play", "Louder"].map((name) => desk.find(name));
    const listMarks = () => Promise.all(controls.map((control) => desk.markOf(control)));
    const marks = await listMarks();
    controls.forEach((control, at) => void control.rename(["Zurück", "Abspielen", "Lauter"][at] ?? ""));
    expect(await listMarks()).toEqual(marks);
  });

  test("keeps its mark when two controls exchange their words, and neither is pressed before they were shown", async () => {
    const desk = openPlayer();
    const [play, louder] = [desk.find("Play"), desk.find("Louder")];
    const marks = [await desk.markOf(play), await desk.markOf(louder)];
    for (const [first, second] of [
      ["Louder", "Play"],
      ["Play", "Louder"],
    ]) {
      play.rename(first ?? "");
      louder.rename(second ?? "");
      for (const mark of marks) expect(await press(desk, mark)).toBe("NOT_FOUND");
      expect([await desk.markOf(play), await desk.markOf(louder)]).toEqual(marks);
      expect(await press(desk, marks[0] ?? 0)).toBe(`pressed ${first}`);
    }
  });

  test("keeps its mark as a tab, even while another tab has the same words", async () => {
    const tabs = ["Mail", "News"].map((name) => ({ role: "tab", name }) as const);
    const desk = openPlayer({ role: "tablist", children: tabs });
    const [mail, news] = [desk.find("Mail"), desk.find("News")];
    const listMarks = async () => [await desk.markOf(mail), await desk.markOf(news)];
    const marks = await listMarks();
    for (const [first, second] of [
      ["News", "Mail"],
      ["New Tab", "New Tab"],
      ["Mail", "News"],
    ]) {
      mail.rename(first ?? "");
      news.rename(second ?? "");
      expect(await listMarks()).toEqual(marks);
    }
  });

  test("gets the mark of its words where objects are places, as the tabs of Qt", async () => {
    const tabs = ["Mail", "News"].map((name) => ({ role: "tab", name, traits: ["is-a-place"] }) as const);
    const desk = openPlayer({ role: "tablist", children: tabs });
    const [mail, news] = [desk.find("Mail"), desk.find("News")];
    const marks = [await desk.markOf(mail), await desk.markOf(news)];
    mail.rename("News");
    news.rename("Mail");
    expect([await desk.markOf(news), await desk.markOf(mail)]).toEqual(marks);
  });

  test("gets a new mark in a menu: a list of recent files shows another one through the same entry", async () => {
    const items = ["a.txt", "Clear"].map((name) => ({ role: "menuitem", name }) as const);
    const desk = openPlayer({ role: "menu", name: "Recent", children: items });
    const entry = desk.find("a.txt");
    const mark = await desk.markOf(entry);
    entry.rename("b.txt");
    expect(await desk.markOf(entry)).not.toBe(mark);
  });

  test("keeps its mark in one of several similar boxes of a page, unless these show other items", async () => {
    const box = (...children: readonly ControlSketch[]): ControlSketch => ({ role: "group", children });
    const boxes = [box(text("Ada"), button("Call Ada")), box(text("Bob"), button("Call Bob")), box(button("Start"))];
    const desk = openPlayer({ role: "web", name: "Page", url: "https://example.org/", children: boxes });
    const [ada, start] = [desk.find("Call Ada"), desk.find("Start")];
    const marks = [await desk.markOf(ada), await desk.markOf(start)];
    for (const words of ["Stop", "Start", "Stop"]) {
      start.rename(words);
      expect(await desk.markOf(start)).toBe(marks[1] ?? 0);
    }
    desk.find("Ada").rename("Zoe");
    ada.rename("Call Zoe");
    expect(await desk.markOf(ada)).not.toBe(marks[0]);
  });
});

describe("after its application restarts", () => {
  test("a control keeps its mark though its label has a new count, or an ellipsis", async () => {
    const desk = openPlayer();
    const [inbox, louder] = [desk.find("Inbox (3)"), desk.find("Louder")];
    const marks = [await desk.markOf(inbox), await desk.markOf(louder)];
    inbox.rename("Inbox (12)");
    louder.rename("Louder…");
    desk.app.restart();
    expect([await desk.markOf(inbox), await desk.markOf(louder)]).toEqual(marks);
  });

  test("a control with its own id keeps its mark in another language", async () => {
    const desk = openPlayer(button("Print", { id: "print-button" }), button("Send", { id: "sendMail" }));
    const [print, send] = [desk.find("Print"), desk.find("Send")];
    const marks = [await desk.markOf(print), await desk.markOf(send)];
    print.rename("Drucken");
    send.rename("Senden");
    desk.app.restart();
    expect(await press(desk, marks[0] ?? 0)).toBe("NOT_FOUND");
    expect([await desk.markOf(print), await desk.markOf(send)]).toEqual(marks);
    expect(await press(desk, marks[0] ?? 0)).toBe("pressed Drucken");
  });

  test("a control alone with its words keeps its mark, whatever is beside it, and a press needs no read first", async () => {
    const desk = openPlayer();
    const [louder, faster] = [desk.find("Louder"), desk.find("Faster")];
    const marks = [await desk.markOf(louder), await desk.markOf(faster)];
    for (const gone of ["Back", "Play", "Inbox (3)"]) desk.find(gone).remove();
    louder.parent?.insert(text("Volume"), 0);
    desk.find("Speed").rename("Tempo");
    desk.app.restart();
    expect(await press(desk, marks[0] ?? 0)).toBe("pressed Louder");
    expect(await press(desk, marks[1] ?? 0)).toBe("pressed Faster");
    expect([await desk.markOf(louder), await desk.markOf(faster)]).toEqual(marks);
  });

  test("a control inside a wrapper with the same words is alone with them", async () => {
    const wrapped = button("Basic", { children: [button("Basic")] });
    const desk = openPlayer({ role: "group", children: [text("Mode"), wrapped] });
    const basic = desk.findAll("Basic").find(({ children }) => children.length === 0);
    if (basic === undefined) throw new Error("a button was made");
    const mark = await desk.markOf(basic);
    desk.find("Mode").rename("Calculator");
    desk.app.restart();
    expect(await desk.markOf(basic)).toBe(mark);
  });

  test("the same words on two pages in turn tell nothing: a third page gets a mark of its own", async () => {
    const page = (words: string): ControlSketch => ({ role: "group", children: [text(words), button("Next")] });
    const desk = openPlayer(page("Name"));
    const marks: number[] = [];
    for (const words of ["Town", "Street", ""]) {
      const next = desk.find("Next");
      marks.push(await desk.markOf(next));
      if (words === "") break;
      const box = next.parent;
      box?.parent?.insert(page(words));
      box?.remove();
    }
    desk.find("Street").rename("Country");
    desk.app.restart();
    expect(new Set(marks).size).toBe(3);
    expect(marks).not.toContain(await desk.markOf(desk.find("Next")));
  });

  test("swapping the labels of two controls with ids gives both new marks", async () => {
    const desk = openPlayer(button("Print", { id: "print-button" }), button("Send", { id: "sendMail" }));
    const [print, send] = [desk.find("Print"), desk.find("Send")];
    const marks = [await desk.markOf(print), await desk.markOf(send)];
    print.rename("Send");
    send.rename("Print");
    desk.app.restart();
    const after = [await desk.markOf(print), await desk.markOf(send)];
    expect(after.filter((mark) => marks.includes(mark))).toEqual([]);
  });

  test("a page whose controls have only generic ids does not get the marks of the one before", async () => {
    const page = (label: string): ControlSketch => ({
      role: "group",
      children: [text(label), button(`${label} now`, { id: "pushButton" })],
    });
    const desk = openPlayer(page("Print"));
    const before = await desk.look();
    const first = desk.find("Print now").parent;
    first?.parent?.insert(page("Send"));
    first?.remove();
    desk.app.restart();
    expect(before.map(({ mark }) => mark)).not.toContain(await desk.markOf(desk.find("Send now")));
  });
});

test.each([
  ["save-button", true],
  ["openFile", true],
  ["pushButton", false],
  ["submit", false],
  ["lineEdit_2", false],
  ["ember1234", false],
  ["", false],
])("whether the id %j is meant to last: %p", (id, isLasting) => expect(isLastingId(id)).toBe(isLasting));

test.each([
  ["Save…", "Save", true],
  ["Inbox (3)", "inbox (12)", true],
  ["Name:", "Name", true],
  ["*draft", "draft", true],
  ["Page 1", "Page 2", false],
  ["(3)", "(4)", false],
])("whether the labels %j and %j are the same but for what changes by itself: %p", (one, other, areSame) => {
  expect(foldName(one) === foldName(other)).toBe(areSame);
});
