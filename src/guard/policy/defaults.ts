import type { Policy, Standing } from "./policy.ts";

/**
 * The names of one application in a row: its program, the class of its windows, its id. Who changes the standing of one
 * name in the policy means the application, and changes all of them. A name may end in `*`.
 */
type Names = readonly string[];

const passwordManagers: readonly Names[] = [
  ["keepassxc", "org.keepassxc.keepassxc"],
  ["keepass", "keepass2", "keepass.exe"],
  ["keepassx", "keepassx2"],
  ["keeweb"],
  ["bitwarden", "bitwarden-desktop", "com.bitwarden.desktop"],
  ["1password", "1password-bin", "com.onepassword.onepassword"],
  ["enpass"],
  ["proton pass", "proton-pass", "me.proton.pass.electron"],
  ["dashlane"],
  ["nordpass"],
  ["keeper password manager", "keeperpasswordmanager"],
  ["roboform"],
  ["buttercup", "buttercup-desktop"],
  ["passky"],
  ["padloc"],
  ["password safe", "pwsafe"],
  ["password gorilla", "password-gorilla", "gorilla"],
  ["revelation"],
  ["secrets", "gnome-secrets", "gnome-passwordsafe", "org.gnome.world.secrets", "org.gnome.passwordsafe"],
  ["seahorse", "org.gnome.seahorse.application"],
  ["kwalletmanager", "kwalletmanager5", "org.kde.kwalletmanager", "org.kde.kwalletmanager5"],
  ["kwalletd", "kwalletd5", "kwalletd6", "ksecretd"],
  ["qtpass"],
  ["gopass-ui", "gopassui"],
  ["pass-gui", "passff", "plasma-pass"],
  ["yubico authenticator", "yubico-authenticator", "authenticator", "yubioath-desktop", "com.yubico.yubioath"],
  ["com.belmoussaoui.authenticator", "gnome-authenticator"],
  ["otpclient", "com.github.paolostivanin.otpclient"],
  ["keysmith", "org.kde.keysmith"],
  ["numberstation"],
  ["ente auth", "enteauth", "ente-auth", "ente_auth"],
  ["authy", "authy desktop"],
  ["kleopatra", "org.kde.kleopatra"],
  ["gpa"],
];

const passwordPrompts: readonly Names[] = [
  ["gcr-prompter", "gcr4-ssh-askpass", "gcr-ssh-askpass"],
  ["polkit-gnome-authentication-agent-1"],
  ["polkit-kde-authentication-agent-1", "polkit-kde-manager", "org.kde.polkit-kde-authentication-agent-1"],
  ["polkit-mate-authentication-agent-1", "mate-polkit"],
  ["lxpolkit"],
  ["lxqt-policykit-agent", "lxqt-policykit"],
  ["xfce-polkit"],
  ["ukui-polkit", "polkit-ukui-authentication-agent-1"],
  ["polkit-dumb-agent"],
  ["hyprpolkitagent", "soteria"],
  ["pinentry*"],
  ["ssh-askpass", "x11-ssh-askpass", "ssh-askpass-gnome", "gnome-ssh-askpass*", "ssh-askpass-fullscreen"],
  ["ksshaskpass", "lxqt-openssh-askpass", "razor-openssh-askpass"],
  ["kdesu", "kdesudo", "lxqt-sudo", "gksu", "gksudo", "gksu-*", "beesu", "ktsuss"],
];

const lockScreens: readonly Names[] = [
  // One that the desktop draws itself and has no window for, as GNOME's.
  ["lock screen"],
  ["xscreensaver*"],
  ["i3lock*", "betterlockscreen"],
  ["light-locker"],
  ["xlock", "xlockmore"],
  ["xsecurelock", "auth_x11", "auth_pam_x11"],
  ["slock", "alock", "sxlock", "metalock", "physlock", "vlock"],
  ["xtrlock", "pyxtrlock"],
  ["gnome-screensaver*"],
  ["mate-screensaver*"],
  ["xfce4-screensaver*"],
  ["cinnamon-screensaver*", "cs-backup-locker"],
  ["ukui-screensaver*"],
  ["kscreenlocker*", "ksmserver-logout-greeter"],
  ["budgie-screensaver"],
  ["deepin-screensaver", "dde-lock"],
  [
    "lightdm-gtk-greeter",
    "lightdm-slick-greeter",
    "slick-greeter",
    "lightdm-webkit2-greeter",
    "unity-greeter",
    "sddm-greeter*",
  ],
  ["swaylock", "hyprlock", "gtklock", "waylock"],
];

const terminals: readonly Names[] = [
  // The part of another application that is a terminal, as the panel of an editor.
  ["terminal"],
  ["xterm", "uxterm", "lxterm", "koi8rxterm"],
  ["rxvt", "urxvt", "urxvtd", "rxvt-unicode", "rxvt-xpm", "rxvt-xterm"],
  ["aterm", "eterm", "mrxvt", "mlterm", "kterm", "xvt", "wterm", "roxterm"],
  ["gnome-terminal", "gnome-terminal-server", "org.gnome.terminal"],
  ["kgx", "gnome-console", "org.gnome.console"],
  ["ptyxis", "org.gnome.ptyxis", "ptyxis-agent"],
  ["konsole", "org.kde.konsole"],
  ["yakuake", "org.kde.yakuake"],
  ["xfce4-terminal"],
  ["mate-terminal"],
  ["lxterminal"],
  ["qterminal"],
  ["deepin-terminal"],
  ["pantheon-terminal", "io.elementary.terminal"],
  ["cosmic-term", "com.system76.cosmicterm"],
  ["blackbox-terminal", "com.raggesilver.blackbox"],
  ["kitty"],
  ["alacritty"],
  ["wezterm", "wezterm-gui", "org.wezfurlong.wezterm"],
  ["foot", "footclient"],
  ["ghostty", "com.mitchellh.ghostty"],
  ["rio"],
  ["contour", "org.contourterminal.contour"],
  ["warp", "warp-terminal", "dev.warp.warp"],
  ["waveterm"],
  ["hyper"],
  ["tabby"],
  ["extraterm"],
  ["terminator"],
  ["tilix", "com.gexperts.tilix"],
  ["guake"],
  ["tilda"],
  ["terminology"],
  ["st", "st-256color", "stterm"],
  ["termit"],
  ["sakura"],
  ["evilvte", "lilyterm", "termite", "altyo"],
  ["cool-retro-term"],
  ["termius"],
  ["putty", "pterm"],
];

/** What Deskmap itself shows: the surface on which a person answers must not be answered by it. */
const own: readonly Names[] = [["deskmap", "deskmap-*"]];

const blind = [...passwordManagers, ...passwordPrompts, ...lockScreens];
const handsOff = [...terminals, ...own];

/** Every name in the lists that is one. */
export function listListedNames(): Names {
  return [...blind, ...handsOff].flat().filter((name) => !name.endsWith("*"));
}

/** All names of the application that a name of the lists belongs to; only itself where it is in none. */
export function listDefaultNames(name: string): Names {
  return [...blind, ...handsOff].find((names) => names.includes(name)) ?? [name];
}

/** On a person's own desktop, until the policy says otherwise. */
export const userPolicy: Policy = {
  actionsPerMinute: 10,
  sensitive: "ask",
  isReadOnly: false,
  standings: new Map<string, Standing>([
    ...blind.flat().map((name) => [name, "blind"] as const),
    ...handsOff.flat().map((name) => [name, "hands-off"] as const),
  ]),
  rules: [],
  words: {},
  hasHotkey: true,
};
