import type { ControlKind, TeamState } from './chat-command.ts'

const words = (text: string) => text.trim().split(/\s+/u)
const phrases = (text: string) => text.split('|').map((one) => one.trim().split(/\s+/u))

/** "I want docs paused", "I would like docs to be paused", "we need docs to stop". */
const wishing = (participles: string, verbs: string) =>
  ['want', 'need', 'would like', 'like']
    .flatMap((wish) => [
      ...words(participles).flatMap((one) => [`${wish} X ${one}`, `${wish} X to be ${one}`]),
      ...words(verbs).map((one) => `${wish} X to ${one}`),
    ])
    .join('|')

/** "Would you mind pausing": alone, such a word only tells what somebody does. */
const minding = (gerunds: string) =>
  words(gerunds)
    .flatMap((gerund) => [`would you mind ${gerund}`, `do you mind ${gerund}`, `mind ${gerund}`])
    .join('|')

/**
 * How people order each thing. `X` is where the teams stand; without it they stand behind the words.
 */
export const orderPhrases: Readonly<Record<ControlKind, readonly (readonly string[])[]>> = {
  pause: phrases(
    `pause|hold|stop|halt|freeze|suspend|hold off on|put a hold on|hit pause on|press pause on|put on hold X|
     put X on hold|put X on pause|put X on ice|hold X off|make X stop|make X pause|have X stop|have X pause|
     get X paused|have X paused|want X on hold|${wishing('paused stopped halted suspended', 'pause stop halt')}|
     ${minding('pausing stopping holding suspending freezing halting')}`,
  ),
  resume: phrases(
    `resume|unpause|continue|unfreeze|go on with|carry on with|proceed with|continue with|go on|carry on|
     take X off hold|let X go on|let X continue|let X carry on|let X proceed|let X resume|have X continue|
     have X resume|have X carry on|get X going again|get X moving again|get X running again|
     get X back to work|get X back on track|set X going again|pick X back up|pick X up again|
     get X resumed|X can get back to work|X can go back to work|X can continue|X can go on|X can carry on|X can proceed|X can resume|
     X may continue|X may go on|X may carry on|X may proceed|X may resume|want X running again|want X back to work|want X to carry on|want X to go on|
     ${wishing('resumed unpaused', 'resume continue proceed')}|
     ${minding('resuming unpausing continuing')}`,
  ),
  launch: phrases(
    `launch|start|run|begin|kick off|start a session for|launch a session for|begin a session for|
     kick off a session for|start a session of|start an agent for|relaunch|fire up|spin up|boot up|start up|get started on|
     kick X off|fire X up|spin X up|start X up|get X started|get X going|get X running|set X off|
     let X start|let X begin|let X run|want X running|need X running|have X start|
     ${wishing('started launched', 'start begin run launch')}|${minding('launching starting running')}`,
  ),
  archive: phrases(
    `archive|put away|shelve|file away|put X away|file X away|put X in the archive|put X into the archive|
     move X to the archive|move X into the archive|send X to the archive|get X archived|
     ${wishing('archived shelved', 'archive')}|${minding('archiving shelving')}`,
  ),
  restore: phrases(
    `restore|unarchive|take back|bring back|bring X back|take X back|bring X back from the archive|
     bring back X from the archive|take X out of the archive|get X out of the archive|
     pull X out of the archive|restore X from the archive|get X back from the archive|
     want X back|${wishing('restored unarchived', 'restore')}|${minding('restoring unarchiving')}`,
  ),
}
/** Words that could mean more than one order, and what. */
export const unclearVerbs: Readonly<Record<string, readonly string[]>> = {
  restart: ['resume', 'launch'],
  reset: ['launch'],
  rerun: ['launch'],
  retry: ['launch'],
  cancel: ['pause', 'archive'],
  abort: ['pause', 'archive'],
  kill: ['pause', 'archive'],
  terminate: ['pause', 'archive'],
  end: ['pause', 'archive'],
  quit: ['pause', 'archive'],
  close: ['archive'],
  delete: ['archive'],
  remove: ['archive'],
  drop: ['archive'],
}
export const tellVerbs: ReadonlySet<string> = new Set(words('tell instruct direct order'))
export const askVerbs: ReadonlySet<string> = new Set(words('ask question'))
/** Every word that could begin an order. */
export const everyVerb: ReadonlySet<string> = new Set([
  ...Object.values(orderPhrases).flatMap((all) => all.flatMap(([first = '']) => first)),
  ...Object.keys(unclearVerbs),
  ...tellVerbs,
  ...askVerbs,
])

/** Said only to be polite, before and behind an order; the longest is taken. */
export const politeBefore = phrases(
  `please|pls|plz|kindly|hi|hello|hey|hallo|yo|ok|okay|alright|right|so|and|now|then|well|thanks|thank you|great|
   cool|perfect|nice|good|yes|yep|sure|just|also|actually|there|team|all right|good morning|good evening|
   can you|could you|would you|will you|can someone|could someone|can somebody|could somebody|
   can anyone|could anyone|i would like you to|we would like you to|i want you to|we want you to|
   i need you to|we need you to|i would like to|we would like to|i want to|we want to|i need to|we need to|
   let us|go ahead and|go and|feel free to|be so kind and|be so kind as to|
   do me a favor and|do me a favour and|you can|you may|you could|fed|
   time to|it is time to|only|quickly|immediately`,
)
export const politeBehind = phrases(
  `please|pls|plz|thanks|thank you|many thanks|thanks a lot|thx|ty|cheers|for me|for us|for now|right now|
   right away|straight away|now|again|once more|once again|immediately|asap|at once|as soon as possible|
   at the moment|for the moment|for the time being|for a while|for a bit|if you can|if you could|if you would|
   if you please|if possible|would you|will you|can you|could you|ok|okay|then|too|as well|quickly|today please|
   when you can|when you get a chance|so i can have a look|everyone|team|folks|man|mate|already|up`,
)

/** Words for all teams that there are. */
export const allWords: ReadonlySet<string> = new Set(
  words('all every everything everyone everybody each whatever whoever anything anyone anybody *'),
)
/** Words for those of whom the conversation was last. */
export const lastWords = new Map<string, 'one' | 'two' | 'some'>([
  ...words('it that this him her').map((word) => [word, 'one'] as const),
  ...words('both').map((word) => [word, 'two'] as const),
  ...words('them they these those').map((word) => [word, 'some'] as const),
])
/** What leaves teams out of all. */
export const exceptPhrases = phrases(
  'except for|except|but not|but|apart from|other than|excluding|without|minus|save for|bar|barring|aside from|besides|excepting|not',
)
/** States as people call them. */
export const stateWords = new Map<string, TeamState>([
  ...words('paused stopped held suspended frozen halted').map((word) => [word, 'paused'] as const),
  ...words('failed fail fails failing broken crashed dead down').map((word) => [word, 'failed'] as const),
  ...words('finished finish complete completed done ready').map((word) => [word, 'complete'] as const),
  ...words('running active working busy live alive moving').map((word) => [word, 'working'] as const),
  ...words('archived').map((word) => [word, 'archived'] as const),
  ...words('blocked stuck stalled hanging hung blocking delayed lagging late').map(
    (word) => [word, 'blocked'] as const,
  ),
])

/** Words around the names of teams that say nothing. */
export const teamFillers: ReadonlySet<string> = new Set(
  words(
    'the team teams of ones one only just other and also und as well plus our my your agent agents group groups',
  ),
)
/** Words that link a state to those who are in it: "everything that is paused". */
export const stateLinks: ReadonlySet<string> = new Set(
  words('that who which is are currently have has were was been got already still now'),
)

/** Words of a question that say nothing by themselves. */
export const questionWords: ReadonlySet<string> = new Set([
  ...words(
    'how what which who whom where when why is are was were be been being am do does did has have had',
  ),
  ...words(
    'will would can could may please pls me us my our your we i you there here so far now right still yet',
  ),
  ...words(
    'already currently today current latest quick quickly full brief short general of on for in with about',
  ),
  ...words(
    'at from to and or any some much many long the a an teams team ones one tell give show get see check',
  ),
  ...words(
    'know like want let hear say said list read open got hey hi hello ok okay thanks again as well just',
  ),
  ...words(
    'moment actually really only need by into out up and then all that us take look really ever has its',
  ),
  ...words(
    'their else agent agents fleet crew member members bot bots worker workers federation system task tasks job jobs mission missions whole everyone longest most first working look items recurring across looked last new over behind overall exactly soon come time until till together altogether combined total explain describe present day morning week since overnight night wrote write sent send',
  ),
])
/** Words that say what a question is about. */
export const topicWords: Readonly<
  Record<'status' | 'cost' | 'needs' | 'inbox' | 'why', ReadonlySet<string>>
> = {
  status: new Set(
    words(
      `status state overview summary progress update updates news rundown recap going happening doing standing
       stand stands looking far along left remaining result results deliverable deliverables output outcome
       info information details standup report check-in situation position things eta performing coming getting
       work happened sitrep brief briefing debrief summarize summarise started begun resumed launched unpaused restored`,
    ),
  ),
  cost: new Set(
    words(
      `cost costs costing spend spent spending spends bill budget money dollars usd tokens token price paid pay paying
       burn burned burnt burning expensive expense expenses cash bucks used use using usage consumption consumed`,
    ),
  ),
  needs: new Set(
    words(
      `need needs attention problem problems wrong trouble troubles issue issues urgent action actions ok okay fine
       well unhealthy healthy health blockers blocker alarming concern concerns worry worried error errors
       failure failures needing input decision decisions intervention help broken care pending outstanding overdue approvals affected`,
    ),
  ),
  inbox: new Set(words('inbox mail mails mailbox message messages unread questions alerts signals')),
  why: new Set(words('why reason reasons cause because')),
}
