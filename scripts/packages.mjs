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
  { name: "zenity", proof: "zenity", group: TEST, why: "small dialogs with known content" },
  { name: "featherpad", proof: "featherpad", group: TEST, why: "a real Qt application to read" },
  { name: "firefox-esr", proof: "firefox-esr", group: TEST, why: "a real browser to read" },
  { name: "chromium", proof: "chromium", group: TEST, why: "another real browser to read, and very long pages" },
  { name: "libreoffice-calc", proof: "/usr/lib/libreoffice/program/scalc", group: TEST, why: "a sheet of 2³¹ cells" },
  {
    name: "libreoffice-gtk3",
    proof: "/usr/lib/libreoffice/program/libvclplug_gtk3lo.so",
    group: TEST,
    why: "without it LibreOffice has no accessibility tree",
  },
  { name: "procps", proof: "pgrep", group: TEST, why: "shows that no process is left behind" },
];

export const GROUPS = { none: [], start: [START], test: [START, TEST] };

export function listPackages(groups) {
  return PACKAGES.filter((entry) => groups.includes(entry.group));
}
