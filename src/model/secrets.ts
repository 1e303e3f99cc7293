import { type Failure, nothingDone } from "./failure.ts";

/**
 * Which fields hold text that must never be read. A field that shows dots is the platform's word for it; a field that a
 * person would call a password, though it shows its text (an "eye" button, a plain field in a web page), is ours.
 */
const secretWords =
  /\b(pass ?word|passwort|kennwort|mot de passe|contrase[nñ]a|senha|parola|wachtwoord|has[lł]o|пароль|密码|密碼|パスワード|비밀번호|pass ?phrase|pass ?code|secret|pin|cvv|cvc|csc|one[- ]time code|otp|security code|private key|(api|auth|access|bearer|secret)[- ]?(key|token)|recovery (code|key|phrase)|seed phrase)\b/iu;
/** Words that are found inside others too; and scripts that \b knows no borders in. */
const secretParts = /пароль|密码|密碼|パスワード|비밀번호|passw(or)?d|passwort|kennwort|\bpwd/iu;

export function isSecretLabel(...labels: readonly string[]): boolean {
  return labels.some((label) => {
    const words = label
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
      .replace(/([a-z])(\d)/gi, "$1 $2")
      .replace(/[_-]+/g, " ");
    return secretWords.test(words) || secretParts.test(words);
  });
}

/** Whoever asks for secret text is told so, and gets none. */
export function describeSecret(): Failure {
  return {
    code: "REFUSED",
    message: "this field is secret: its text is never read",
    suggestion: "a person can read it on the screen.",
    done: nothingDone,
  };
}
