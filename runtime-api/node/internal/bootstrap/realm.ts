/** Node shows frames of its own modules in another colour; there are none in here. */
export const BuiltinModule = { exists: () => false };
