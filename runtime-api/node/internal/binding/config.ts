/** Widths of characters are counted without ICU's tables. */
export const hasIntl = false;
