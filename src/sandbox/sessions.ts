import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Result, succeed } from "../model/failure.ts";
import { refuseStart } from "./options.ts";
import type { WindowKind } from "./window-manager.ts";

const SESSION_KINDS = ["xfce", "lxqt", "mate", "cinnamon", "plasma"] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

type Session = {
  /** The session manager, which starts everything else and ends when the person logs out. */
  command: readonly [string, ...string[]];
  /** The programs it consists of, with their Debian packages. */
  needs: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
  homeFiles: Readonly<Record<string, string>>;
  /** Set with gsettings before it starts: schema, key, value. */
  settings?: readonly (readonly [string, string, string])[];
  /** D-Bus names that other desktops offer too, and the entries that are meant. */
  services?: Readonly<Record<string, string>>;
  /** Entries of /etc/xdg/autostart that belong to it, by the beginning of their names. */
  autostart: readonly string[];
  /** It is ready when it shows one window of each; a panel and a desktop, unless it draws its panel itself. */
  shows?: readonly WindowKind[];
};

export const SHOWN: readonly WindowKind[] = ["dock", "desktop"];

const XFCONF = ".config/xfce4/xfconf/xfce-perchannel-xml";

function describeMatePart(name: string, exec: string): Record<string, string> {
  const entry = `[Desktop Entry]\nType=Application\nName=${name}\nExec=${exec}\nNoDisplay=true\n`;
  return { [`.local/share/applications/${name}.desktop`]: entry };
}

/** Cinnamon's own panel, without the applets that need a system bus: it would complain about each. */
function listCinnamonApplets(): string {
  const left = ["menu", "separator", "grouped-window-list"];
  const right = ["systray", "notifications", "keyboard", "favorites", "calendar", "cornerbar"];
  const place = (side: string) => (name: string, index: number) => `'panel1:${side}:${index}:${name}@cinnamon.org'`;
  return `[${[...left.map(place("left")), ...right.map(place("right"))].join(", ")}]`;
}

/** What the start scripts (startxfce4, startlxqt, …) set, and settings without which it would ask or save something. */
export const SESSIONS: Readonly<Record<SessionKind, Session>> = {
  xfce: {
    command: ["xfce4-session"],
    needs: {
      "xfce4-session": "xfce4-session",
      xfwm4: "xfwm4",
      xfsettingsd: "xfce4-settings",
      "xfce4-panel": "xfce4-panel",
      xfdesktop: "xfdesktop4",
      thunar: "thunar",
    },
    variables: {
      XDG_CURRENT_DESKTOP: "XFCE",
      // Else the panel asks at its first start whether to use the default one.
      XFCE_PANEL_MIGRATE_DEFAULT: "1",
    },
    homeFiles: {
      [`${XFCONF}/xfce4-session.xml`]: `<channel name="xfce4-session" version="1.0">
  <property name="general" type="empty"><property name="SaveOnExit" type="bool" value="false"/></property>
  <property name="startup" type="empty">
    <property name="ssh-agent" type="empty"><property name="enabled" type="bool" value="false"/></property>
    <property name="gpg-agent" type="empty"><property name="enabled" type="bool" value="false"/></property>
  </property>
</channel>
`,
    },
    services: { "org.freedesktop.Notifications": "org.xfce.xfce4-notifyd.Notifications.service" },
    autostart: ["xfsettingsd", "xfce4-notifyd", "xdg-user-dirs"],
  },
  lxqt: {
    command: ["lxqt-session"],
    needs: {
      "lxqt-session": "lxqt-session",
      openbox: "openbox",
      "lxqt-panel": "lxqt-panel",
      "pcmanfm-qt": "pcmanfm-qt",
    },
    variables: {
      XDG_CURRENT_DESKTOP: "LXQt",
      QT_QPA_PLATFORMTHEME: "lxqt",
      XDG_CONFIG_DIRS: "/etc:/etc/xdg:/usr/share",
    },
    homeFiles: {
      // Without a window manager in its settings it asks for one.
      ".config/lxqt/session.conf": "[General]\nwindow_manager=openbox\n",
      // Without the folder, the desktop has no icons.
      "Desktop/.keep": "",
    },
    autostart: ["lxqt-panel", "lxqt-desktop", "lxqt-notifications", "lxqt-runner", "lxqt-globalkeyshortcuts"],
  },
  mate: {
    command: ["mate-session"],
    needs: {
      "mate-session": "mate-session-manager",
      marco: "marco",
      "mate-panel": "mate-panel",
      caja: "caja",
      "mate-control-center": "mate-control-center",
      gsettings: "libglib2.0-bin",
    },
    variables: {
      XDG_CURRENT_DESKTOP: "MATE",
    },
    homeFiles: {
      // As programs without a phase: for its own panel, the session waits 30 s before it starts anything else.
      ...describeMatePart("sandbox-panel", "mate-panel"),
      // The file manager shows no desktop to root unless it is forced to.
      ...describeMatePart("sandbox-desktop", "caja --no-default-window --force-desktop"),
    },
    settings: [
      // It would start a keyring.
      ["org.mate.session", "gnome-compat-startup", "[]"],
      ["org.mate.session.required-components", "panel", "sandbox-panel"],
      ["org.mate.session.required-components", "filemanager", "sandbox-desktop"],
    ],
    services: { "org.freedesktop.Notifications": "org.freedesktop.mate.Notifications.service" },
    autostart: ["mate-settings-daemon", "mate-notification-daemon", "xdg-user-dirs"],
  },
  cinnamon: {
    command: ["cinnamon-session", "--session", "sandbox"],
    needs: {
      "cinnamon-session": "cinnamon-session",
      cinnamon: "cinnamon",
      "nemo-desktop": "nemo",
      gsettings: "libglib2.0-bin",
    },
    variables: {
      XDG_CURRENT_DESKTOP: "X-Cinnamon",
      DESKTOP_SESSION: "cinnamon",
    },
    homeFiles: {
      ".config/cinnamon-session/sessions/sandbox.session":
        "[Cinnamon Session]\nName=Sandbox\nRequiredComponents=cinnamon;nemo-autostart;\nDesktopName=X-Cinnamon\n",
    },
    // The file manager shows no desktop to root unless it is told to.
    settings: [
      ["org.nemo.preferences", "treat-root-as-normal", "true"],
      ["org.cinnamon", "enabled-applets", listCinnamonApplets()],
    ],
    autostart: ["cinnamon-settings-daemon-xsettings"],
    shows: ["desktop"],
  },
  plasma: {
    command: ["startplasma-x11"],
    needs: {
      "startplasma-x11": "plasma-workspace",
      kwin_x11: "kwin-x11",
      // One of its programs; its panel and desktop are none.
      "plasma-emojier": "plasma-desktop",
    },
    variables: {
      XDG_CURRENT_DESKTOP: "KDE",
      DESKTOP_SESSION: "plasma",
      // Else every panel and menu is drawn by a simulated graphics card.
      QT_QUICK_BACKEND: "software",
    },
    homeFiles: {
      ".config/ksplashrc": "[KSplash]\nEngine=none\nTheme=None\n",
      ".config/kwinrc": "[Compositing]\nEnabled=false\n\n[Desktops]\nNumber=2\nRows=1\n",
      ".config/startkderc": "[General]\nsystemdBoot=false\n",
      ".config/ksmserverrc": "[General]\nloginMode=emptySession\n",
      ".config/kscreenlockerrc": "[Daemon]\nAutolock=false\nLockOnResume=false\n",
      ".config/kwalletrc": "[Wallet]\nEnabled=false\n",
    },
    autostart: ["org.kde.plasmashell"],
  },
};

export function parseSession(text: string): Result<SessionKind> {
  const kind = SESSION_KINDS.find((one) => one === text.trim().toLowerCase());
  if (kind !== undefined) return succeed(kind);
  return refuseStart(
    "USAGE",
    `a sandbox cannot open the session "${text}"`,
    `--session ${SESSION_KINDS[0]}`,
    SESSION_KINDS,
  );
}

const CONFIG_FOLDER = "/etc/xdg";

/**
 * The environment of a whole session. System folders only: those of the caller may contain folders of their own. No
 * system bus: through it, "Shut Down" in a log-out dialog would shut down the machine.
 */
export function describeSessionVariables(kind: SessionKind, root: string): Record<string, string> {
  return {
    XDG_CONFIG_DIRS: CONFIG_FOLDER,
    XDG_DATA_DIRS: "/usr/local/share:/usr/share",
    DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${join(root, "no-system-bus")}`,
    DESKTOP_SESSION: kind,
    XDG_SESSION_DESKTOP: kind,
    XDG_MENU_PREFIX: `${kind}-`,
    ...SESSIONS[kind].variables,
  };
}

/** With entries that hide the machine's other autostart programs: screen locks, keyrings, updaters, network tools. */
export function listSessionFiles(kind: SessionKind): Record<string, string> {
  const { autostart, homeFiles } = SESSIONS[kind];
  const others = listAutostart().filter((file) => !autostart.some((name) => file.startsWith(name)));
  const hidden = others.map((file) => [`.config/autostart/${file}`, HIDDEN_ENTRY]);
  return { ...Object.fromEntries(hidden), ...homeFiles };
}

// The MATE session ignores an entry without name and command, and so would start the hidden one.
const HIDDEN_ENTRY = "[Desktop Entry]\nType=Application\nName=hidden\nExec=true\nHidden=true\n";

function listAutostart(): string[] {
  try {
    return readdirSync(join(CONFIG_FOLDER, "autostart")).filter((file) => file.endsWith(".desktop"));
  } catch {
    return [];
  }
}
