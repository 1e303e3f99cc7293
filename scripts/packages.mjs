// The one table of Debian packages. `proof` shows that a package's content is there on a system without dpkg: a program
// on the PATH, or a file when it begins with a slash.
const START = "start";
const TEST = "test";

const PACKAGES = [
  { name: "xvfb", proof: "Xvfb", group: START, why: "a screen in memory for the private desktop" },
  { name: "openbox", proof: "openbox", group: START, why: "the window manager of the private desktop" },
  { name: "dbus", proof: "dbus-daemon", group: START, why: "the message bus of the private desktop" },
  { name: "at-spi2-core", proof: "/usr/libexec/at-spi-bus-launcher", group: START, why: "the accessibility bus" },
  { name: "mousepad", proof: "mousepad", group: START, why: "a real GTK 3 application to read" },
  { name: "gnome-calculator", proof: "gnome-calculator", group: START, why: "a real GTK 4 application to read" },
  {
    name: "fonts-dejavu-core",
    proof: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    group: START,
    why: "letters for the applications to draw",
  },
  { name: "xdotool", proof: "xdotool", group: TEST, why: "a second opinion on windows and input" },
  { name: "x11-utils", proof: "xprop", group: TEST, why: "xprop, xwininfo: a second opinion on windows" },
  { name: "wmctrl", proof: "wmctrl", group: TEST, why: "maximises and fills the screen, from outside" },
  { name: "xfwm4", proof: "xfwm4", group: TEST, why: "a second window manager to arrange windows under" },
  { name: "mutter", proof: "mutter", group: TEST, why: "a third one" },
  { name: "keepassxc", proof: "keepassxc", group: TEST, why: "a real password manager, to be blind to" },
  { name: "i3lock", proof: "i3lock", group: TEST, why: "a real lock screen, which is in no list of windows" },
  { name: "xterm", proof: "xterm", group: TEST, why: "a window whose size goes by character cells" },
  { name: "xclip", proof: "xclip", group: TEST, why: "a second opinion on the clipboard" },
  { name: "xsel", proof: "xsel", group: TEST, why: "a third one, which asks in another way" },
  {
    name: "xfce4-settings",
    proof: "xfsettingsd",
    group: TEST,
    why: "a clipboard manager, which takes over what was copied",
  },
  { name: "x11-xserver-utils", proof: "xsetroot", group: TEST, why: "paints the screen in a known colour" },
  { name: "imagemagick", proof: "/usr/bin/import", group: TEST, why: "a second opinion on pixels" },
  {
    name: "tesseract-ocr",
    proof: "tesseract",
    group: TEST,
    why: "reads pictures: applications without a tree, and to see that no secret is in one",
  },
  { name: "gnome-keyring", proof: "gnome-keyring-daemon", group: TEST, why: "a real secret service" },
  { name: "libsecret-tools", proof: "secret-tool", group: TEST, why: "puts a secret into it, from outside" },
  { name: "libglib2.0-bin", proof: "gdbus", group: TEST, why: "locks it, from outside" },
  { name: "picom", proof: "picom", group: TEST, why: "a compositor, under which windows are captured in another way" },
  { name: "python3", proof: "/usr/bin/python3", group: TEST, why: "runs the second opinion on the tree" },
  {
    name: "python3-pyatspi",
    proof: "/usr/lib/python3/dist-packages/pyatspi/__init__.py",
    group: TEST,
    why: "a second opinion on the accessibility tree",
  },
  {
    name: "gir1.2-atspi-2.0",
    proof: "/usr/lib/x86_64-linux-gnu/girepository-1.0/Atspi-2.0.typelib",
    group: TEST,
    why: "what pyatspi is built on",
  },
  {
    name: "python3-xlib",
    proof: "/usr/lib/python3/dist-packages/Xlib/ext/record.py",
    group: TEST,
    why: "sees every event of every input device, from outside",
  },
  { name: "strace", proof: "strace", group: TEST, why: "sees every connection that is made, from outside" },
  { name: "zenity", proof: "zenity", group: TEST, why: "small dialogs with known content" },
  { name: "featherpad", proof: "featherpad", group: TEST, why: "a real Qt application to read" },
  { name: "gtk-3-examples", proof: "gtk3-widget-factory", group: TEST, why: "one of each control of GTK 3" },
  { name: "gtk-4-examples", proof: "gtk4-widget-factory", group: TEST, why: "one of each control of GTK 4" },
  { name: "xfce4-terminal", proof: "xfce4-terminal", group: TEST, why: "a real terminal to read" },
  { name: "libreoffice-writer", proof: "soffice", group: TEST, why: "a real word processor to read" },
  {
    name: "libreoffice-gtk3",
    proof: "/usr/lib/libreoffice/program/libvclplug_gtk3lo.so",
    group: TEST,
    why: "LibreOffice with an accessibility tree",
  },
  { name: "openjdk-17-jre", proof: "java", group: TEST, why: "runs a Swing application to read" },
  { name: "ecj", proof: "ecj", group: TEST, why: "compiles the Swing application; far smaller than a JDK" },
  {
    name: "libatk-wrapper-java",
    proof: "/usr/share/java/java-atk-wrapper.jar",
    group: TEST,
    why: "Swing's accessibility",
  },
  {
    name: "libatk-wrapper-java-jni",
    proof: "/usr/lib/x86_64-linux-gnu/jni/libatk-wrapper.so",
    group: TEST,
    why: "Swing's way to the accessibility bus",
  },
  { name: "python3-gi", proof: "/usr/lib/python3/dist-packages/gi/__init__.py", group: TEST, why: "runs GTK fixtures" },
  {
    name: "gir1.2-gtk-3.0",
    proof: "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-3.0.typelib",
    group: TEST,
    why: "GTK 3 for fixtures in Python",
  },
  { name: "firefox-esr", proof: "firefox-esr", group: TEST, why: "a real browser to read" },
  {
    name: "libglib2.0-bin",
    proof: "gdbus",
    group: TEST,
    why: "gdbus: switches accessibility off and on, from outside",
  },
  {
    name: "xserver-xorg-core",
    proof: "/usr/lib/xorg/Xorg",
    group: TEST,
    why: "the display of a private desktop with several monitors",
  },
  {
    name: "xserver-xorg-video-dummy",
    proof: "/usr/lib/xorg/modules/drivers/dummy_drv.so",
    group: TEST,
    why: "its outputs, in memory",
  },
  { name: "x11-xserver-utils", proof: "xrandr", group: TEST, why: "xrandr, xrdb: a second opinion on monitors; dpi" },
  {
    name: "gir1.2-gtk-4.0",
    proof: "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-4.0.typelib",
    group: TEST,
    why: "the GTK 4 test application",
  },
  {
    name: "python3-pyqt5",
    proof: "/usr/lib/python3/dist-packages/PyQt5/__init__.py",
    group: TEST,
    why: "the Qt test application",
  },
  { name: "chromium", proof: "chromium", group: TEST, why: "a real browser that draws its own controls" },
  { name: "libreoffice-calc", proof: "/usr/lib/libreoffice/program/scalc", group: TEST, why: "a sheet of 2³¹ cells" },
  { name: "xinput", proof: "xinput", group: TEST, why: "a second opinion on keys and buttons that are held" },
  {
    name: "postgresql",
    proof: "/usr/bin/pg_ctlcluster",
    group: TEST,
    why: "a real server for the tests of shared maps (Debian starts one on loopback, which they do not use: systemctl disable --now postgresql)",
  },
  { name: "openssl", proof: "openssl", group: TEST, why: "a certificate for that server" },
  { name: "procps", proof: "pgrep", group: TEST, why: "shows that no process is left behind" },
];

export const GROUPS = { none: [], start: [START], test: [START, TEST] };

export function listPackages(groups) {
  return PACKAGES.filter((entry) => groups.includes(entry.group));
}
