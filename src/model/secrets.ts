import { type Failure, nothingDone } from "./failure.ts";
import { removeMasks } from "./secrets-in-text.ts";

/**
 * Which fields hold text that must never be read. A field that shows dots is the platform's word for it; a field that a
 * person would call a password, though it shows its text (an "eye" button, a plain field in a web page), is ours. What is
 * a secret wherever it stands is in secrets-in-text.ts.
 */
const secretWords =
  /\b(pass ?word|passwort|kennwort|mot de passe|contrase[nñ]a|senha|parola|wachtwoord|has[lł]o|пароль|密码|密碼|パスワード|비밀번호|pass ?phrase|pass ?code|secret|pin|puk|cvv|cvc|csc|cvn|one[- ]time code|otp|totp|(sms|m|push) ?tan|(security|verification|authentication|authenticator|2 ?fa) code|private key|token|(api|auth|access|bearer|secret)[- ]?(key|token)|recovery (code|key|phrase)|seed phrase|(card|cc) ?(number|no|num)|kartennummer|num[eé]ro de (la )?carte|n[uú]mero de (la )?tarjeta)\b/iu;
/** Words that are found inside others too; and scripts that \b knows no borders in. */
const secretParts = /пароль|密码|密碼|パスワード|비밀번호|卡号|カード番号|passw(or)?d|passwort|kennwort|\bpwd/iu;

export function isSecretLabel(...labels: readonly string[]): boolean {
  return labels.some((label) => {
    if (label === "") return false;
    // What was masked in a label says nothing of the field beside it.
    const words = removeMasks(label)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
      .replace(/([a-z])(\d)/gi, "$1 $2")
      .replace(/[_-]+/g, " ");
    return secretWords.test(words) || secretParts.test(words);
  });
}

/** The HTML standard's words for what a field is to be filled with, those that nobody else may see. */
const secretPurposes = new Set(["new-password", "current-password", "one-time-code", "cc-number", "cc-csc"]);

/** By a field's `autocomplete`, which may have other words beside: "section-blue shipping cc-number". */
export function isSecretPurpose(autocomplete: string): boolean {
  return autocomplete !== "" && autocomplete.split(/\s+/).some((word) => secretPurposes.has(word.toLowerCase()));
}

/** Whoever asks for secret text is told so, and gets none. */
export function describeSecret(): Failure {
  return {
    code: "REFUSED",
    reason: "secret",
    message: "this field is secret: its text is never read",
    suggestion: "a person can read it on the screen.",
    done: nothingDone,
  };
}
