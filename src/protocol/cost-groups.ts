/** By what costs are told. */
export const costGroups = ['team', 'mission', 'agent', 'model', 'day'] as const
export type CostGroup = (typeof costGroups)[number]
