import { useState } from "preact/hooks";
import type { Settings } from "../../src/inspector/activity.ts";
import type { CropTime } from "../../src/model/activity.ts";
import { activity, activityLost, activityTrouble } from "../activity-feed.ts";
import { type ActivityRow, mostRows, type RowPicture } from "../activity-rows.ts";
import { AppText } from "../app-text.tsx";
import { allowKeys, refuseKeys } from "../approvals.tsx";
import { useAnswer } from "../ask.ts";
import { attention } from "../attention.ts";
import { AuditLog } from "../audit-log.tsx";
import { describeEffect, isDelivered } from "../effect-words.ts";
import { nameAction, nameApprover, nameCommand, nameControl, showMoment } from "../log-words.ts";
import { PinForm, stopKeys } from "../panic.tsx";
import { rpc } from "../state.ts";
import { useStore } from "../store.ts";

/** Where questions are answered, the audit log, and live activity on this desktop. */
export function ActivityPanel() {
  return (
    <div class="activity">
      <AnswerPlace />
      <AuditLog />
      <Feed />
    </div>
  );
}

/** Says whether and where sensitive actions are approved. */
function AnswerPlace() {
  const now = useStore(attention);
  const { place, hint } = now;
  // Read again whenever a question is asked or answered: the policy file may have changed.
  const { value: settings, failure: unread } = useAnswer("activity.settings", {}, now);
  const [failure, setFailure] = useState("");
  const unlock = async (pin: string): Promise<void> => {
    const done = await rpc.call("activity.unlock", { pin });
    setFailure(done.ok ? "" : done.failure.message);
  };
  return (
    <section aria-labelledby="answers-heading">
      <h2 id="answers-heading">Answers</h2>
      {unread === undefined ? null : (
        <p role="alert">The policy cannot be used, so nothing is done: {unread.message}</p>
      )}
      {settings === undefined || (settings.sensitive === "ask" && place === "here") ? null : (
        <p>{describeAsking(settings)}</p>
      )}
      {settings === undefined || !isAsking(settings) ? null : place === "here" ? (
        <p>
          {settings.sensitive === "ask" ? "Sensitive actions are asked about" : "Questions are answered"} on this page:{" "}
          <kbd>{allowKeys}</kbd> allows one once, <kbd>{refuseKeys}</kbd> refuses it. While it waits, Deskmap does
          nothing else.
        </p>
      ) : place === "pin" ? (
        <>
          <p>To answer on this page, type the PIN.</p>
          <PinForm button="Answer here" onPin={unlock} />
        </>
      ) : (
        <p>
          Nothing can be answered on this page, since it was not started from a person's terminal. To answer: {hint}.
        </p>
      )}
      {failure === "" ? null : <p role="alert">{failure}</p>}
      <p class="quiet">
        <kbd>{stopKeys}</kbd> on this page{settings?.hasHotkey === true ? ", or Escape twice anywhere," : ""} stops
        everything.
      </p>
    </section>
  );
}

function isAsking({ sensitive, asksElse }: Settings): boolean {
  return sensitive === "ask" || asksElse;
}

const askingWords: Readonly<Record<Settings["sensitive"], string>> = {
  ask: "a person is asked about sensitive actions",
  allow: "sensitive actions are done without asking",
  deny: "sensitive actions are refused without asking",
};

function describeAsking({ sensitive, asksElse }: Settings): string {
  const more = asksElse && sensitive !== "ask" ? "; a rule, or a client's section, asks about some of them" : "";
  return `By the policy in force, ${askingWords[sensitive]} (sensitive: ${sensitive})${more}.`;
}

function Feed() {
  const rows = useStore(activity);
  const lost = useStore(activityLost);
  const trouble = useStore(activityTrouble);
  return (
    <section aria-labelledby="feed-heading">
      <h2 id="feed-heading">As it happens</h2>
      {trouble === undefined ? null : <p role="status">No pictures at the moment: {trouble}</p>}
      {lost === 0 ? null : <p class="quiet">{lost} pictures or events came too fast and were left out.</p>}
      {rows.length === 0 ? <p class="quiet">Nothing has been done here yet.</p> : null}
      <ol class="feed" aria-label="What happened, newest first">
        {rows.map((row) => (
          <Happened key={row.n} row={row} />
        ))}
      </ol>
      {rows.length < mostRows ? null : <p class="quiet">Older ones are in the log above.</p>}
    </section>
  );
}

function Happened({ row }: { readonly row: ActivityRow }) {
  const { n, atMs, what, client, effect, approval, way, evidence, changes, failure, tookMs, crops, isLive } = row;
  const { sign, word, kind } = describeEffect(row);
  const facts = [
    way === "" || !isDelivered(effect) ? "" : `by ${way}`,
    tookMs === undefined || what !== "action" ? "" : `${tookMs} ms`,
  ].filter((one) => one !== "");
  return (
    <li class="happened" aria-labelledby={`happened-${n}`}>
      <p class="what" id={`happened-${n}`}>
        <time dateTime={new Date(atMs).toISOString()}>{showMoment(atMs)}</time>{" "}
        <strong>
          <AppText text={client} />
        </strong>
        : {nameCommand(what)} <AppText text={nameAction(row)} />
      </p>
      <p class={`verdict ${kind}`}>
        <span aria-hidden="true">{sign}</span> {word}
        {facts.length === 0 ? "" : `, ${facts.join(", ")}`}
        {approval === "" ? "" : `; allowed by ${nameApprover(approval)}`}
      </p>
      {what !== "action" || isLive || effect === "" ? null : <p class="quiet">From the log: no pictures.</p>}
      {crops.before === undefined && crops.after === undefined ? null : (
        <div class="crops">
          <Picture row={row} when="before" picture={crops.before} />
          <Picture row={row} when="after" picture={crops.after} />
        </div>
      )}
      {failure === "" ? null : (
        <p>
          <AppText text={failure} />
        </p>
      )}
      <Lines name="Evidence" lines={evidence} />
      <Lines name="Changes" lines={changes} />
    </li>
  );
}

interface PictureProps {
  readonly row: ActivityRow;
  readonly when: CropTime;
  readonly picture: RowPicture | undefined;
}

function Picture({ row, when, picture }: PictureProps) {
  const label = when === "before" ? "Before" : "After";
  const target = row.name === "" ? row.window || row.app : nameControl(row);
  return (
    <figure>
      {picture === undefined ? (
        <p class="quiet">
          No picture was taken in time
          {when === "before" ? ", and the live picture was older than the last change" : ""}.
        </p>
      ) : (
        <img
          src={picture.url}
          width={picture.width}
          height={picture.height}
          alt={`${label}: the area around ${target}`}
        />
      )}
      <figcaption>
        {label}
        {picture?.liveAtMs === undefined ? "" : `, from the live picture of ${showMoment(picture.liveAtMs)}`}
      </figcaption>
    </figure>
  );
}

function Lines({ name, lines }: { readonly name: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul aria-label={name}>
      {lines.map((line) => (
        <li key={line}>
          <AppText text={line} />
        </li>
      ))}
    </ul>
  );
}
