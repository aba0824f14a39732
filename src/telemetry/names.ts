/** Attributes of our own; those of the semantic conventions are named by their package. */
export const attribute = {
  team: 'fed.team',
  archetype: 'fed.archetype',
  state: 'fed.state',
  stateFrom: 'fed.state.from',
  stateTo: 'fed.state.to',
  missionNumber: 'fed.mission.number',
  missionSubject: 'fed.mission.subject',
  missionOutcome: 'fed.mission.outcome',
  sessionNumber: 'fed.session.number',
  sessionCause: 'fed.session.cause',
  agent: 'fed.agent',
  signalId: 'fed.signal.id',
  signalType: 'fed.signal.type',
  signalSender: 'fed.signal.sender',
  signalOutcome: 'fed.signal.outcome',
  refusalKind: 'fed.refusal.kind',
} as const
