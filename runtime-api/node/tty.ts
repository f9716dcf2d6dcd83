/** There is no terminal in here. */
export const shim = {
  isatty: () => false,
};
