/** Node asks whether it is being written into a snapshot. */
export const namespace = {
  isBuildingSnapshot: () => false,
  addDeserializeCallback: () => undefined,
};
