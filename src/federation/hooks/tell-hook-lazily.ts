import type { World } from '../../engine/step/world.ts'

/** `tellHook`, loaded only when there is something to tell. */
export const tellHookLazily: World['tellHook'] = async (...told) => {
  const { tellHook } = await import('./tell-hook.ts')
  return tellHook(...told)
}
