import { useLayoutEffect, useState } from "preact/hooks";
import type { ElementDetail } from "../../src/inspector/element.ts";
import { AppText } from "../app-text.tsx";
import { useAnswer, useSettled } from "../ask.ts";
import { desk, deskVersion, selection } from "../state.ts";
import { useStore } from "../store.ts";
import { ElementAgain } from "./element-again.tsx";
import { ElementCopy } from "./element-copy.tsx";
import { Facts } from "./element-facts.tsx";
import { ElementMemoryFacts } from "./element-memory.tsx";
import { ElementPicture } from "./element-picture.tsx";
import { ElementTry } from "./element-try.tsx";
import { Trouble } from "./trouble.tsx";

/** The element is read again once its window has not changed for this long. */
const aroundMs = 400;

/** Everything about the selected control. */
export function ElementPanel() {
  const selected = useStore(selection);
  if (selected?.kind !== "control") {
    return (
      <p class="hint">Select a control on the screen, in the tree or in the map: everything about it is shown here.</p>
    );
  }
  return <Element key={selected.mark} mark={selected.mark} />;
}

function Element({ mark }: { readonly mark: number }) {
  useStore(deskVersion);
  const control = desk.controls.get(mark);
  const [trials, setTrials] = useState(0);
  const [lessons, setLessons] = useState(0);
  // A change elsewhere in the window may affect what the control shows or can do.
  const around = useSettled(desk.windows.get(control?.window ?? 0)?.touchedAt, aroundMs);
  const version = `${control?.changedAt ?? 0} ${control?.placedAt ?? 0} ${around} ${trials} ${lessons}`;
  useLayoutEffect(() => {
    performance.mark("element-selected");
  }, []);
  const { value: detail, failure } = useAnswer("element.detail", { mark }, version);
  const isShown = detail !== undefined;
  useLayoutEffect(() => {
    if (isShown) performance.measure("element-detail", "element-selected");
  }, [isShown]);
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (detail === undefined) return <p class="hint">Reading {mark}…</p>;
  return (
    <article class="element" aria-labelledby="element-title">
      <h2 id="element-title">
        <AppText text={nameOf(detail)} /> <span class="mark">{mark}</span>
      </h2>
      <Presence detail={detail} />
      {detail.now === undefined ? null : <ElementPicture mark={mark} bounds={detail.now.bounds} version={version} />}
      {detail.now === undefined ? null : <Facts now={detail.now} />}
      {detail.now === undefined ? null : (
        <ElementTry mark={mark} now={detail.now} onTried={() => setTrials((count) => count + 1)} />
      )}
      <ElementCopy detail={detail} />
      <ElementMemoryFacts mark={mark} memory={detail.memory} onTaught={() => setLessons((count) => count + 1)} />
      <ElementAgain mark={mark} version={trials} />
    </article>
  );
}

function nameOf({ now, memory }: ElementDetail): string {
  const { role, name } = now ?? memory.ref;
  const label = memory.taught || name;
  return label === "" ? role : `${role} “${label}”`;
}

function Presence({ detail: { there, why } }: { readonly detail: ElementDetail }) {
  if (there) return null;
  return (
    <p class="notice" role="status">
      Not there now: {why?.message ?? "the reason is unknown"}
    </p>
  );
}
