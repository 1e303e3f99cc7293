import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An application to measure, and how to recognise its window. */
export interface App {
  readonly name: string;
  readonly toolkit: string;
  readonly title: RegExp;
  /** Creates what the application needs in `folder`, and returns the command that starts it. */
  prepare(folder: string): readonly [string, ...string[]];
  /** Limits for peers, which may never finish and may exhaust the memory. */
  readonly limits?: Limits;
}

export interface Limits {
  readonly deadlineMs: number;
  /** The memory of the application that is read. */
  readonly memoryMb: number;
}

export const apps = {
  mousepad: { name: "mousepad", toolkit: "GTK 3", title: /Mousepad/, prepare: () => ["mousepad", "--disable-server"] },
  zenity: {
    name: "zenity",
    toolkit: "GTK 3",
    title: /^Subject$/,
    prepare: () => ["zenity", "--forms", "--title=Subject", "--text=Who", "--add-entry=Name", "--add-entry=Town"],
  },
  "gnome-calculator": {
    name: "gnome-calculator",
    toolkit: "GTK 4",
    title: /Calculator|Basic/,
    prepare: () => ["gnome-calculator"],
  },
  featherpad: {
    name: "featherpad",
    toolkit: "Qt 5",
    title: /FeatherPad|Untitled/,
    prepare: () => ["featherpad", "--standalone"],
  },
  firefox: { name: "firefox", toolkit: "Gecko", title: /Big page/, prepare: prepareFirefox },
  chromium: {
    name: "chromium",
    toolkit: "Chromium",
    title: /Big page/,
    prepare: prepareChromium,
    limits: { deadlineMs: 90_000, memoryMb: 4000 },
  },
  calc: {
    name: "calc",
    toolkit: "LibreOffice",
    title: /LibreOffice Calc/,
    prepare: prepareCalc,
    limits: { deadlineMs: 60_000, memoryMb: 4000 },
  },
} satisfies Record<string, App>;

/** The contestants warm up on this one before the clock starts; it is never measured. */
export const runInApp: App = {
  name: "run-in",
  toolkit: "GTK 3",
  title: /^Run-in$/,
  prepare: () => ["zenity", "--forms", "--title=Run-in", "--text=Before the start", "--add-entry=Anything"],
};

/** Without these Firefox opens pages, notices and connections of its own on a fresh profile. */
const firefoxSettings = {
  "browser.aboutwelcome.enabled": false,
  "browser.preonboarding.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "termsofuse.bypassNotification": true,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** Three nodes a paragraph: with the browser's own parts the tree has about 5,000. */
const firefoxParagraphs = 1630;
/** Four nodes a paragraph: 20,000. */
const chromiumParagraphs = 5000;

function prepareFirefox(folder: string): readonly [string, ...string[]] {
  const profile = join(folder, "profile");
  mkdirSync(profile);
  const lines = Object.entries(firefoxSettings).map(
    ([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), `${lines.join("\n")}\n`);
  const page = join(folder, "page.html");
  writeFileSync(page, makePage(firefoxParagraphs));
  return ["firefox-esr", "--no-remote", "--profile", profile, page];
}

function prepareChromium(folder: string): readonly [string, ...string[]] {
  const page = join(folder, "page.html");
  writeFileSync(page, makePage(chromiumParagraphs));
  return [
    "chromium",
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-renderer-accessibility",
    `--user-data-dir=${join(folder, "profile")}`,
    `file://${page}`,
  ];
}

function prepareCalc(folder: string): readonly [string, ...string[]] {
  const settings = ["--calc", "--norestore", "--nologo", "--nofirststartwizard"];
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  return ["env", "SAL_USE_VCLPLUGIN=gtk3", "soffice", ...settings, profile];
}

const hugeParagraphs = 12_500;

/** The same browser with a page of 50,000 nodes, which reports the delays of its timer to a server. */
export function makeHuge(browser: App, port: number): App {
  const clock = `<script>let last = performance.now(), longest = 0;
setInterval(() => { const now = performance.now(); longest = Math.max(longest, now - last - 5); last = now; }, 5);
setInterval(() => { fetch("http://127.0.0.1:${port}/?gap=" + longest, { mode: "no-cors" }); longest = 0; }, 100);</script>`;
  return {
    ...browser,
    prepare(folder) {
      const command = browser.prepare(folder);
      writeFileSync(join(folder, "page.html"), makePage(hugeParagraphs) + clock);
      return command;
    },
  };
}

function makePage(paragraphs: number): string {
  const body = Array.from(
    { length: paragraphs },
    (_, index) => `<p><a href="#${index}">Link ${index}</a> <button>Button ${index}</button></p>`,
  );
  return [
    "<!doctype html><meta charset=utf-8><title>Big page</title><h1>Big page</h1>",
    "<label>User <input value=bob></label><label><input type=checkbox> Remember</label>",
    ...body,
  ].join("\n");
}
