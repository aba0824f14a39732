import type { World } from '../../engine/step/world.ts'

/** `tellHook`, loaded only when there is something to tell. */
export const tellHookLazily: World['tellHook'] = async (...told) => {
  const { tellHook } = await import('./tell-hook.ts')
  return tellHook(...told)
}

/** `findOut`, loaded only when an archetype of the federation's own asks for something. */
export const findOutLazily: World['findOut'] = async ({ archetype, world }, name, facts) => {
  const { askEvidence } = await import('./call-hook.ts')
  return askEvidence(world.root, world.config.importHook, { archetype, evidence: name, facts })
}
