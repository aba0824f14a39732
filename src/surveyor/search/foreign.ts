/** Small words of some languages that English does not have, or has for nothing that a question needs. */
const small: readonly ReadonlySet<string>[] = [
  'der das den dem des ein eine einen einem einer eines und oder nicht wie wird werden wurde wurden ist sind hat haben kann können wenn wann warum wer welche welcher welches mit von für auf aus bei nach über durch zum zur auch noch sich es ich wir sie man beim dass im als wo',
  'le la les un une des du de et ou est sont dans par pour avec sur au aux ce cette ces que qui quoi quand comment pourquoi quel quelle quels quelles il elle ils elles nous vous je ne pas plus où se sa son ses leur être fait peut si on en',
  'el la los las un una unos unas y o es son en con por para del al de que como cómo cuando cuándo donde dónde qué quién cuál se su sus lo no más pero si está están hace puede',
  'il lo la gli le un una uno di del della dei delle e o è sono in con per da dal nel nella che chi come quando dove perché quale quali si non più viene vengono cosa',
  'o a os as um uma de do da dos das em no na nos nas e ou é são com por para que como quando onde qual quais se não mais está',
  'de het een en of is zijn wordt worden niet hoe wat waar wanneer waarom wie welke met van voor op uit bij naar over door ook nog zich ik wij we ze als dat die kan in er',
].map((words) => new Set(words.split(' ')))

/** Small words that nearly every English question has. */
const english = new Set(
  'the is are was were does do did how what why which who whose when where can could will would should a an and or not of to in on at for with by from it its if that this there be been has have i we you my your'.split(
    ' ',
  ),
)

/**
 * Whether a text is written in another language than English: most of its small words are of one of those that are known
 * here. A single word tells nothing: code has words of every language.
 */
export function isForeign(text: string): boolean {
  const words = Array.from(text.toLowerCase().matchAll(/[\p{L}]+/gu), ([word]) => word)
  const own = words.filter((word) => english.has(word)).length
  return small.some((one) => {
    const met = words.filter((word) => one.has(word) && !english.has(word))
    return new Set(met).size >= 2 && met.length > own
  })
}
