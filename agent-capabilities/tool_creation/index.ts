export const LABEL = "Tool creation";
export const DESCRIPTION = "Writing an agent's own tools, and sharing them with other agents, as far as its permissions.json allows.";
