/**
 * Gives up what this process needed to start: from here on it reads no file, its own included, and loads no addon. Whoever
 * gets out of the isolate finds no way to take it back.
 */
export function dropAuthority(): void {
  // Not in Node's types yet, nor in every Node 24; the flags that it was started with hold either way.
  const { permission } = process as { readonly permission?: { drop?(scope: string): void } };
  for (const scope of ["fs", "addon"]) permission?.drop?.(scope);
}
