/** What moves teams. */
export type ControlKind = 'pause' | 'resume' | 'launch' | 'archive' | 'restore'

export const controlVerbs: Readonly<Record<ControlKind, readonly string[]>> = {
  pause: ['pause', 'hold', 'stop', 'halt', 'freeze', 'suspend'],
  resume: ['resume', 'unpause', 'continue', 'unfreeze', 'go on with', 'carry on with', 'go on', 'carry on'],
  launch: ['launch', 'start', 'run', 'begin', 'kick off', 'relaunch'],
  archive: ['archive', 'put away', 'shelve'],
  restore: ['restore', 'unarchive', 'take back', 'bring back'],
}
export const tellVerbs = ['tell', 'instruct', 'direct', 'order']
export const askVerbs = ['ask', 'question']
/** Every word that could begin another command. */
export const everyVerb: ReadonlySet<string> = new Set([
  ...Object.values(controlVerbs).flat(),
  ...tellVerbs,
  ...askVerbs,
])

const whatStands = String.raw`(?:status|state|overview|summary|progress|updates?|news)(?: (?:report|update))?`
/** Asks for the status; of whom stands behind it. */
export const statusWords = new RegExp(
  String.raw`^(?:(?:show|give|get|tell)(?: (?:me|us))? |(?:any|have you got|can (?:i|we) (?:get|have)) )?(?:the |an? |your )?(?:current |latest )?${whatStands}(?: (?:of|for|on|about|from))?$`,
  'u',
)
/** The same, where a team's name must follow. */
export const statusQuestions =
  /^(?:how (?:is|are|goes)(?: it| things| everything| everyone)?|how's(?: it| everything)?|how far (?:along )?(?:is|are)|what (?:is|are)|what's|whats|where (?:is|are)|where's|show(?: me| us)?)$/u
/** Asks for the status of all. */
export const statusAlone =
  /^(?:how (?:is|are) (?:it|things|everything|everyone|we|you)(?: going| doing)?|how's (?:it|everything)(?: going)?|how goes it|what(?:'s|s| is) (?:up|new|going on|happening)|what(?:'s| is) the status|where (?:do we stand|are we|do things stand)|how do we stand|st|stat|teams|(?:list|show)(?: me| us)?(?: all)?(?: the)? teams|who(?:'s| is) (?:working|paused|running|active|done|stuck)|(?:what|which) teams (?:are there|do we have|have we(?: got)?|are (?:working|paused|running|active))|what are the teams doing|what is everyone doing)$/u
/** What is asked of a team: `is docs done yet?`, `how docs is doing`. */
export const teamQuestions = [
  /^(?:is|are) (.+?)(?: (?:all|still|already))? (?:done|finished|ready|complete|paused|running|working|active|stuck|archived|ok|okay|alive|there)(?: (?:yet|already|still))?$/u,
  /^(?:how|what|where) (.+?) (?:is|are)(?: (?:doing|going|getting along|up to))?$/u,
  /^(.+?)(?:'s)?:? (?:status|state|progress)$/u,
]
/** What is asked for of a team: `ask docs for an update`. */
export const asksForStatus = new RegExp(String.raw`^for (?:its |an? |the |their )?${whatStands}$`, 'u')

const mailWords = '(?:inbox|mail|mailbox|messages|questions|alerts)'
export const inboxWords = new RegExp(
  [
    String.raw`(?:(?:show|read|check|open|list|get)(?: (?:me|us))? )?(?:the |your |my |our )?${mailWords}(?: of meta| for (?:me|us))?`,
    String.raw`(?:are there |is there )?any (?:new |open )?${mailWords}(?: (?:for|waiting for) (?:me|us))?`,
    String.raw`what(?:'s| is) (?:in (?:the |my |our |your )?(?:inbox|mail|mailbox)|waiting(?: for (?:me|us))?)`,
    String.raw`(?:is there )?(?:anything|something)(?: new)?(?: (?:for|waiting for) (?:me|us)| (?:that )?(?:i|we) (?:need|have) to do)?`,
    String.raw`what (?:do|must|should) (?:i|we) (?:(?:need|have) to )?do`,
    '(?:what|who) (?:needs|wants|waits for) (?:me|us)',
  ]
    .map((one) => `^${one}$`)
    .join('|'),
  'u',
)
export const helpWords =
  /^(?:help|help me|commands|usage|what can (?:you|i) (?:do|say)|what do you (?:do|understand|know)|how do you work|(?:who|what) are you|are you (?:there|here|alive|up)|you there|man|about|hi|hello|hey|ping|hallo|good morning)?$/u
/** What is said to be kind, and asks for nothing. */
export const kindWords =
  /^(?:(?:ok|okay|great|cool|perfect|nice|wow|super|yes|and)[\s,.!]*)*(?:(?:many |no )?(?:thanks|thank you|thx|ty|cheers|danke)(?: (?:a lot|so much|very much|again|all|everyone|you))*|well done|(?:good|great|nice) (?:job|work)(?:[\s,]+(?:all|everyone|team))?|got it|ok|okay|great|cool|perfect|nice|super)[\s.!]*$/u

export const politeBefore =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|now|then|please|pls|kindly|thanks|great|cool|perfect|yo)\b[\s,:!.]*|(?:can|could|would|will) you(?: please)?\s+|(?:i|we)(?: would|'d) like you to\s+|(?:i|we) (?:want|need) you to\s+|let's\s+|go ahead and\s+|(?:tell|show) (?:me|us)\s+(?=(?:how|what|where|who|which)\b)|fed\s+(?=\p{L})|[/!]\s*(?=\p{L}))/iu
export const politeBehind =
  /[\s,]*\b(?:please|pls|thanks|thank you|thx|for me|for us|for now|right now|now|again|immediately|asap)$/iu

/** An instruction that is a question all the same: its answer is wanted here. */
export const toldToAnswer =
  /^(?:tell|let|explain|say|answer|give|show|report|clarify|confirm|describe (?:to )?(?:me|us))\b/iu
