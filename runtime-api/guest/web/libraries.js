// What few tools need is evaluated when it is first asked for: the bundler makes of each `require` a part that waits.
// Their own type declarations would bring Node's and the browser's globals along, so they are declared beside this file.
export function loadEncodings() {
  return require("@exodus/bytes/encoding.js");
}

export function loadUrlPattern() {
  return require("urlpattern-polyfill/urlpattern").URLPattern;
}
