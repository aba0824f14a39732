/** Skills that ship beside the playbook; a playbook of such a name would take the place of one. */
export const shippedSkillNames = [
  'answering-standards',
  'diagram-tools',
  'documentation-standards',
  'goal-standards',
  'implementation-standards',
  'orchestration',
  'pull-request-standards',
  'report-templates',
  'research-standards',
  'testing-standards',
] as const
