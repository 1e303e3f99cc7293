import { useEffect } from "preact/hooks";
import type { AskedQuestion } from "../src/inspector/activity.ts";
import { activity } from "./activity-feed.ts";
import { findAsked } from "./activity-rows.ts";
import { ElementPicture } from "./panels/element-picture.tsx";
import { desk, selectMark } from "./state.ts";
import { useStore } from "./store.ts";

/** The control that a question is about: selects it in all panels and shows its current picture. */
export function AskedControl({ question }: { readonly question: AskedQuestion }) {
  const mark = findAsked(useStore(activity), question)?.mark;
  useEffect(() => {
    if (mark !== undefined) selectMark(mark);
  }, [mark]);
  if (mark === undefined) return null;
  return <ElementPicture key={mark} mark={mark} bounds={desk.controls.get(mark)?.place} version={question.nonce} />;
}
