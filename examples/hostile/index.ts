export const LABEL = "Hostile";
export const DESCRIPTION = "What a capability must not get away with. The demo calls it; nothing else should.";
export const LICENSE = "MIT";
