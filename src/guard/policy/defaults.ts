import { ownFilesApp } from "../own-files.ts";
import type { Policy, Standing } from "./policy.ts";

/**
 * The names of one application: its program, the class of its windows, its id. A policy that sets the standing of one name
 * sets that of all. A name may end in `*`. In the tables, a semicolon or a line break separates applications.
 */
type Names = readonly string[];

const passwordManagers = `
keepassxc, org.keepassxc.keepassxc; keepass, keepass2, keepass.exe; keepassx, keepassx2; keeweb
bitwarden, bitwarden-desktop, com.bitwarden.desktop; 1password, 1password-bin, com.onepassword.onepassword; enpass
proton pass, proton-pass, me.proton.pass.electron; dashlane; nordpass; keeper password manager, keeperpasswordmanager
roboform; buttercup, buttercup-desktop; passky; padloc; password safe, pwsafe
password gorilla, password-gorilla, gorilla; revelation
secrets, gnome-secrets, gnome-passwordsafe, org.gnome.world.secrets, org.gnome.passwordsafe
seahorse, org.gnome.seahorse.application
kwalletmanager, kwalletmanager5, org.kde.kwalletmanager, org.kde.kwalletmanager5
kwalletd, kwalletd5, kwalletd6, ksecretd; qtpass; gopass-ui, gopassui; pass-gui, passff, plasma-pass
yubico authenticator, yubico-authenticator, authenticator, yubioath-desktop, com.yubico.yubioath
com.belmoussaoui.authenticator, gnome-authenticator; otpclient, com.github.paolostivanin.otpclient
keysmith, org.kde.keysmith; numberstation; ente auth, enteauth, ente-auth, ente_auth; authy, authy desktop
kleopatra, org.kde.kleopatra; gpa`;

const passwordPrompts = `
gcr-prompter, gcr4-ssh-askpass, gcr-ssh-askpass; polkit-gnome-authentication-agent-1
polkit-kde-authentication-agent-1, polkit-kde-manager, org.kde.polkit-kde-authentication-agent-1
polkit-mate-authentication-agent-1, mate-polkit; lxpolkit; lxqt-policykit-agent, lxqt-policykit; xfce-polkit
ukui-polkit, polkit-ukui-authentication-agent-1; polkit-dumb-agent; hyprpolkitagent, soteria; pinentry*
ssh-askpass, x11-ssh-askpass, ssh-askpass-gnome, gnome-ssh-askpass*, ssh-askpass-fullscreen
ksshaskpass, lxqt-openssh-askpass, razor-openssh-askpass
kdesu, kdesudo, lxqt-sudo, gksu, gksudo, gksu-*, beesu, ktsuss`;

/** "lock screen" is one that the desktop draws itself, without a window, as GNOME does. */
const lockScreens = `
lock screen; xscreensaver*; i3lock*, betterlockscreen; light-locker; xlock, xlockmore
xsecurelock, auth_x11, auth_pam_x11; slock, alock, sxlock, metalock, physlock, vlock; xtrlock, pyxtrlock
gnome-screensaver*; mate-screensaver*; xfce4-screensaver*; cinnamon-screensaver*, cs-backup-locker; ukui-screensaver*
kscreenlocker*; budgie-screensaver; deepin-screensaver, dde-lock
lightdm-gtk-greeter, lightdm-slick-greeter, slick-greeter, lightdm-webkit2-greeter, unity-greeter, sddm-greeter*
swaylock, hyprlock, gtklock, waylock`;

/** "terminal" is one inside another application, such as an editor's panel. */
const terminals = `
terminal; xterm, uxterm, lxterm, koi8rxterm; rxvt, urxvt, urxvtd, rxvt-unicode, rxvt-xpm, rxvt-xterm
aterm, eterm, mrxvt, mlterm, kterm, xvt, wterm, roxterm; gnome-terminal, gnome-terminal-server, org.gnome.terminal
kgx, gnome-console, org.gnome.console; ptyxis, org.gnome.ptyxis, ptyxis-agent; konsole, org.kde.konsole
yakuake, org.kde.yakuake; xfce4-terminal; mate-terminal; lxterminal; qterminal; deepin-terminal
pantheon-terminal, io.elementary.terminal; cosmic-term, com.system76.cosmicterm
blackbox-terminal, com.raggesilver.blackbox; kitty; alacritty; wezterm, wezterm-gui, org.wezfurlong.wezterm
foot, footclient; ghostty, com.mitchellh.ghostty; rio; contour, org.contourterminal.contour
warp, warp-terminal, dev.warp.warp; waveterm; hyper; tabby; extraterm; terminator; tilix, com.gexperts.tilix; guake
tilda; terminology; st, st-256color, stterm; termit; sakura; evilvte, lilyterm, termite, altyo; cool-retro-term
termius; putty, pterm`;

/**
 * They run what is typed. GNOME Shell draws its overview, its run dialog and its password prompts in one window; the
 * shells of other desktops are in danger.ts.
 */
const launchers = `
rofi; dmenu, dmenu_run; bemenu, bemenu-run; wofi; fuzzel; tofi; walker; anyrun; onagre; gmrun; grun; launchy
krunner, org.kde.krunner; ulauncher, io.ulauncher.ulauncher; albert; kupfer, kupfer.py; synapse; gnome-do; cerebro
xfce4-appfinder, xfrun4; lxqt-runner; dde-launcher, dde-launchpad; nwg-drawer, nwg-menu
slingshot-launcher, io.elementary.applications-menu; gnome-shell, org.gnome.shell`;

/** Deskmap's own windows: a client must not answer for the person. */
const own = "deskmap, deskmap-*";

const blind = [...[passwordManagers, passwordPrompts, lockScreens].flatMap(splitTable), [ownFilesApp]];
const handsOff = [terminals, launchers, own].flatMap(splitTable);

function splitTable(table: string): readonly Names[] {
  return table
    .trim()
    .split(/;\s*|\n/)
    .map((names) => names.split(", "));
}

export function listListedNames(): Names {
  return [...blind, ...handsOff].flat().filter((name) => !name.endsWith("*"));
}

/** All names of the application that has this name in the lists; only the name itself if none has. */
export function listDefaultNames(name: string): Names {
  return [...blind, ...handsOff].find((names) => names.includes(name)) ?? [name];
}

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
  localOnly: [],
  hasHotkey: true,
};
