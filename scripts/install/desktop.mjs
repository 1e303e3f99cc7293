import { spawnSync } from "node:child_process";
import { connect } from "node:net";

const ANSWER_MS = 2000;

// Whether a desktop with an accessibility bus is running here. If so, `npm start` needs no private desktop.
export async function hasRunningDesktop(env = process.env) {
  return (await answersOnDisplay(env.DISPLAY)) && answersOnAccessibilityBus();
}

function answersOnDisplay(display) {
  const number = /^(?:unix)?:(\d+)/.exec(display ?? "")?.[1];
  if (number === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(`/tmp/.X11-unix/X${number}`);
    const answer = (isThere) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(ANSWER_MS, () => answer(false));
    socket.on("connect", () => answer(true));
    socket.on("error", () => answer(false));
  });
}

function answersOnAccessibilityBus() {
  const question = ["--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress"];
  return spawnSync("dbus-send", question, { stdio: "ignore", timeout: ANSWER_MS }).status === 0;
}
