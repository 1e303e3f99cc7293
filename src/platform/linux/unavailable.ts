import { type Failure, nothingDone } from "../../model/failure.ts";

export function describeLostDisplay({ message }: Error): Failure {
  return {
    code: "UNAVAILABLE",
    message: `the display went away: ${message}`,
    suggestion: "check that the X server still runs.",
    done: nothingDone,
  };
}

export function describeLostBus({ message }: Error): Failure {
  return {
    code: "UNAVAILABLE",
    message: `no accessibility bus: ${message}`,
    suggestion: "start your session with D-Bus and at-spi2-core, or open a private desktop: deskmap sandbox",
    done: nothingDone,
  };
}
