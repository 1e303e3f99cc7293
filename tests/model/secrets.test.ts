import { describe, expect, test } from "bun:test";
import { isSecretLabel, isSecretPurpose } from "../../src/model/secrets.ts";

describe("a field is secret when it is called", () => {
  test.each([
    "Password",
    "password:",
    "Your pass word",
    "Passphrase",
    "Pass-phrase",
    "Passcode",
    "Passwort",
    "Neues Kennwort",
    "Mot de passe",
    "Contraseña",
    "contrasena",
    "Senha",
    "Parola",
    "Wachtwoord",
    "Hasło",
    "Пароль",
    "Введите пароль",
    "密码",
    "請輸入密碼",
    "パスワードを入力",
    "비밀번호",
    "PIN",
    "Enter PIN:",
    "CVV",
    "CVC",
    "Security code",
    "One-time code",
    "one-time-code",
    "current-password",
    "new-password",
    "OTP",
    "API key",
    "api_key",
    "apiKey",
    "Private key",
    "Access token",
    "Recovery phrase",
    "Seed phrase",
    "Client secret",
    "user_password",
    "userPassword",
    "passwordField",
    // Common names of such fields in pages and forms.
    "password2",
    "Password1",
    "newpassword",
    "Passwords",
    "passwd",
    "pwd",
    "CVV2",
    "cc-csc",
    "PINCode",
    "Token",
    "Personal access token",
    "auth_token",
    "Card number",
    "cardNumber",
    "cc-number",
    "Kartennummer",
    "Verification code",
    "PUK",
  ])("%p", (label) => {
    expect(isSecretLabel(label)).toBe(true);
  });
});

describe("a field is not secret when it is called", () => {
  test.each([
    "",
    "Name",
    "Spinner",
    "Opinion",
    "Shopping pins",
    "Pinterest",
    "Secretary",
    "Passport number",
    "Passenger",
    "Compass",
    "Bypass",
    "Search",
    "Keyboard layout",
    "Country code",
    "Postcode",
    "E-mail",
    "Happiness",
    "Mapping",
    "Laptop",
    "Max tokens",
    "Tokenizer",
    "Business card",
    "Card holder",
    // Placeholders for a secret in a label.
    "Paid with [card number]",
    "https://[password]@example.org",
  ])("%p", (label) => {
    expect(isSecretLabel(label)).toBe(false);
  });
});

test("one secret label among several is enough", () => {
  expect(isSecretLabel("Field 3", "", "password")).toBe(true);
  expect(isSecretLabel("Field 3", "", "name")).toBe(false);
  expect(isSecretLabel()).toBe(false);
});

test("the HTML standard's autofill purposes for secrets count, with any words beside them", () => {
  for (const purpose of ["new-password", "current-password", "one-time-code", "cc-number", "section-a cc-csc"]) {
    expect(isSecretPurpose(purpose)).toBe(true);
  }
  for (const purpose of ["", "off", "on", "email", "cc-name", "cc-exp", "list"])
    expect(isSecretPurpose(purpose)).toBe(false);
});
