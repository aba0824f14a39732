// Proves that everyday words are orders and questions: of whom, and of whom not, and that unknown teams are told the
// nearest. It fails when an "except" is overheard, or a name that is no team goes on.
import { describe, expect, test } from 'vitest'
import type { ChatCommand, Whom } from '../../src/apps/chat/language/chat-command.ts'
import { commandOf } from '../../src/apps/chat/language/understand.ts'

const teams = ['docs', 'api', 'pricing', 'site-map']

function whomOf(whom: Whom): string {
  if (whom.of === 'named') return whom.teams.join('+')
  const { except = [] } = whom
  const whose = whom.of === 'last' ? whom.number : (whom.state ?? '')
  return [whom.of, whose, ...except.map((team) => `-${team}`)].filter((part) => part !== '').join(' ')
}

/** `resume all -api`, `why all blocked`, `pause docs+api`, `tell docs: hurry` */
function short(command: ChatCommand): string {
  if (command.kind === 'several') return command.orders.map(short).join('; ')
  if (command.kind === 'unknown-team') return `unknown ${command.given}, nearest ${command.nearest}`
  if (command.kind === 'incomplete') return `incomplete ${command.verb}`
  if (!('whom' in command)) return command.kind
  return `${command.kind} ${whomOf(command.whom)}${'text' in command ? `: ${command.text}` : ''}`
}

const understood = (said: string) => short(commandOf(said, teams))

describe('an order', () => {
  test.each([
    ['pause docs', 'pause docs'],
    ['Could you please pause the docs team, thanks!', 'pause docs'],
    ['stop docs, api & site-map now', 'pause docs+api+site-map'],
    ['/pause **docs** for now 🙏', 'pause docs'],
    ['pause `docs`', 'pause docs'],
    ['pause docs\nresume api', 'pause docs; resume api'],
    ['- pause docs\n- resume it please\n\n- archive api', 'pause docs; resume docs; archive api'],
    ['pause docs\nand api', 'pause docs+api'],
    ['resume api\n> archive docs\nresume pricing', 'resume api; resume pricing'],
    ['> archive docs\nresume api\npause pricing', 'resume api; pause pricing'],
    ['pause docs\n> bob: what now?', 'pause docs'],
    ['pause both docs and also api', 'pause docs+api'],
    ['put the docs team on hold for now', 'pause docs'],
    ['hold off on api please', 'pause api'],
    ['we need docs to stop', 'pause docs'],
    ["I'd like docs and api to be paused", 'pause docs+api'],
    ['would you mind pausing docs?', 'pause docs'],
    ['docs, please pause', 'pause docs'],
    ['hold everything', 'pause all'],
    ['please stop everything right away', 'pause all'],
    ['pause all running teams', 'pause all working'],
    ['pause all but pricing', 'pause all -pricing'],
    ['resume all teams except api', 'resume all -api'],
    ['could you put everyone on hold except docs?', 'pause all -docs'],
    ['resume everyone apart from docs and api', 'resume all -docs -api'],
    ['resume everything but not api', 'resume all -api'],
    ['resume every paused team except docs', 'resume all paused -docs'],
    ['resume them', 'resume last some'],
    ['unpause them both please', 'resume last two'],
    ['resume all of them except docs', 'resume last all -docs'],
    ['can someone unpause api?', 'resume api'],
    ['carry on with docs', 'resume docs'],
    ['take api off hold', 'resume api'],
    ['get pricing and site-map going again', 'resume pricing+site-map'],
    ['let docs continue', 'resume docs'],
    ['get docs going', 'launch docs'],
    ['kick off api', 'launch api'],
    ['start it up again', 'launch last one'],
    ['ok now let’s get docs started', 'launch docs'],
    ['archive whatever is finished', 'archive all complete'],
    ['archive the done ones', 'archive all complete'],
    ['put docs away', 'archive docs'],
    ['bring docs back from the archive', 'restore docs'],
    ['bring back docs', 'restore docs'],
    ['pause docs and launch api', 'pause docs; launch api'],
    ['Pause docs. Resume api.', 'pause docs; resume api'],
    ['pause docs then resume it', 'pause docs; resume docs'],
    ['pause everything but docs and resume docs', 'pause all -docs; resume docs'],
    ['pause', 'incomplete pause'],
    ['pause the team', 'incomplete pause'],
    ['stop the agents', 'incomplete stop'],
    ['Stop all running agents immediately', 'pause all working'],
    ['Resume only docs + api', 'resume docs+api'],
    ['I want docs paused', 'pause docs'],
    ['pause docs and resume api, then archive both', 'pause docs; resume api; archive docs+api'],
    ['pause docs, resume api and archive them except api', 'pause docs; resume api; archive docs'],
  ])('%j is understood as %s', (said, command) => expect(understood(said)).toBe(command))

  test.each([
    ['tell docs to Cover the importer', 'tell docs: Cover the importer'],
    ['Tell docs, api: two\nlines', 'tell docs+api: two\nlines'],
    ['tell all the teams to hurry', 'tell all: hurry'],
    ['tell everyone except api to hurry', 'tell all -api: hurry'],
    ['tell them to hurry', 'tell last some: hurry'],
    ['tell docs to stop', 'pause docs'],
    ['ask docs to pause', 'pause docs'],
    ['ask docs to cover the importer', 'tell docs: cover the importer'],
    ['ask docs which port?', 'ask docs: which port?'],
    ['ask docs to tell us which port', 'ask docs: to tell us which port'],
    ['tell docs', 'incomplete tell'],
    ['tell docs?', 'incomplete tell'],
    ['tell all paused teams to hurry', 'tell all paused: hurry'],
    ['tell every team that is blocked: hurry', 'tell all blocked: hurry'],
    ['tell the failed ones to go on', 'resume all failed'],
    ['ask all of them whether it works', 'ask last all: whether it works'],
    ['tell them except docs to hurry', 'tell last some -docs: hurry'],
    ['tell both docs and api to hurry', 'tell docs+api: hurry'],
    ['tell everyone that we freeze', 'tell all: that we freeze'],
    ['can you tell docs to stop?', 'pause docs'],
  ])('for a team, %j is understood as %s', (said, command) => expect(understood(said)).toBe(command))

  test('without a name means the only team that there is', () => {
    expect(short(commandOf('pause', ['docs']))).toBe('pause docs')
    expect(commandOf('pause `api`', ['docs'])).toMatchObject({ kind: 'unknown-team', given: 'api' })
    expect(commandOf('hold on', ['docs'])).toMatchObject({ kind: 'free' })
  })

  test.each([
    ['pause dcos', 'dcos', 'docs'],
    ['pause docs and apii', 'apii', 'api'],
    ['pause dcos and resume api', 'dcos', 'docs'],
    ['tell sitemap to hurry', 'sitemap', 'site-map'],
    ['launch nobody-knows', 'nobody-knows', 'null'],
    ['pause docs and web', 'web', 'null'],
    ['resume all except web', 'web', 'null'],
    ['tell bob that docs is done', 'bob', 'null'],
    ['tell docs and bob to hurry', 'bob', 'null'],
    ['tell docs, apii to hurry', 'apii', 'api'],
    ['how is dosc doing?', 'dosc', 'docs'],
  ])('%j names a team that there is not, and nothing is done for others', (said, given, nearest) => {
    expect(understood(said)).toBe(`unknown ${given}, nearest ${nearest}`)
  })
})

describe('among reasons', () => {
  test.each([
    ['prod is on fire, stop everybody except docs', 'pause all -docs'],
    ['pause both of them please, we are over budget this week', 'pause last two'],
    ["we're done with pricing, archive it pls", 'archive pricing'],
    ['docs and api look fine and are done. archive them!', 'archive docs+api'],
    ["ok incident's over, everyone can get back to work", 'resume all'],
    ['legal got back to me, you can start them up again', 'launch last some'],
    ['hm, why did it fail?', 'why last one'],
    ['how come it was paused last night?', 'why last one'],
    ['who paused docs and what for? I thought they were nearly finished', 'why docs'],
    ['let the docs team know we moved to Thursday', 'tell docs: we moved to Thursday'],
    ['heads up to all teams please: we freeze on Friday', 'tell all: we freeze on Friday'],
    // doubted, taken back, of several, or of somebody else
    ["pause docs, we don't need that yet", 'free'],
    ['pause docs, unless it is done', 'free'],
    ['if we are late, pause docs', 'free'],
    ['we should pause api, resume docs', 'free'],
    ['docs and api are done, archive it', 'free'],
    ['pause docs, api and nobody', 'free'],
    ['stop docs, it was wrong to resume api', 'free'],
    ['docs and api wait for pricing. pause them', 'free'],
    ['pause it, docs is stuck', 'free'],
    ['web waits for docs. pause it', 'free'],
    ['the api team is stuck. can you pause them?', 'pause api'],
    ['pause docs and tell me why', 'free'],
    ['why is docs so slow? pause it', 'pause docs'],
    // a joke, a mistake, or somebody else's words
    ['archive docs... just kidding', 'free'],
    ['archive everything. just a test', 'free'],
    ['archive docs. Oh sorry, that was for another channel', 'free'],
    ['archive docs, oops I meant api', 'free'],
    ['archive docs, it was just an example', 'free'],
    ["archive docs, that's what bob has in mind", 'free'],
    ['archive docs, he said', 'free'],
    ['bob just said, archive docs', 'free'],
    ['I was told, archive docs', 'free'],
    ['we have one motto, launch everything', 'free'],
    ['the thing is, we launch api', 'free'],
    // perhaps without the one that is named
    ['stop everyone, docs has to finish', 'free'],
    ['archive everything, docs is the last one', 'free'],
  ])('%s', (said, command) => {
    expect(understood(said)).toBe(command)
  })
})

describe('a question', () => {
  test.each([
    ['status', 'status all'],
    ["How's it going?", 'status all'],
    ['hey, how are we looking today?', 'status all'],
    ['give me a rundown of every team', 'status all'],
    ['Which teams are there?', 'status all'],
    ['how many teams are running?', 'status all working'],
    ['who is paused?', 'status all paused'],
    ['which ones failed?', 'status all failed'],
    ["what's the status of docs and pricing?", 'status docs+pricing'],
    ['is pricing finished yet or still going?', 'status pricing'],
    ['how long until docs is finished?', 'status docs'],
    ['could you check on docs', 'status docs'],
    ['any word from api?', 'status api'],
    ['docs: status 🙏', 'status docs'],
    ['ask docs for an update', 'status docs'],
    ['tell docs status', 'status docs'],
    ['docs?', 'status docs'],
    ['and api?', 'status api'],
    ['is it done?', 'status last one'],
    ['brief me', 'status all'],
    ["What's the status of the fleet?", 'status all'],
    ['who is working on what?', 'status all working'],
    ['when will docs resume?', 'status docs'],
    ['when will you resume docs?', 'status docs'],
    ['why did you pause docs?', 'why docs'],
    ['Is anyone blocked or at risk of being blocked?', 'why all blocked'],
    ['who is stuck, and with whom', 'why all blocked'],
    ['is everything ok with the fleet?', 'needs all'],
    ['do I need to do anything?', 'needs all'],
    ['what is the budget situation', 'cost all'],
    ['how much have we spent, ever', 'cost all'],
    ['why is docs paused?', 'why docs'],
    ['why isn’t api moving?', 'why api'],
    ["what's holding up api?", 'why api'],
    ['what is docs waiting for?', 'why docs'],
    ['can you tell me why docs stopped', 'why docs'],
    ['what happened to docs?', 'why docs'],
    ['why?', 'why last some'],
    ["who's blocked?", 'why all blocked'],
    ['anyone stuck?', 'why all blocked'],
    ["what's blocking us", 'why all blocked'],
    ['anything need my attention?', 'needs all'],
    ['do you need anything from me?', 'needs all'],
    ['has anything gone wrong?', 'needs all'],
    ['is everything ok?', 'needs all'],
    ['are there any problems with docs?', 'needs docs'],
    ['how much has it cost?', 'cost last one'],
    ['how much money have we burned so far?', 'cost all'],
    ['how many tokens did api use?', 'cost api'],
    ['are we over budget?', 'cost all'],
    ['anything for me?', 'inbox'],
    ['show me my messages', 'inbox'],
    ['what can you do?', 'help'],
    ['are you there?', 'help'],
    ['', 'help'],
    ['ok great, thanks a lot!', 'thanks'],
    ['👍', 'thanks'],
  ])('%j is understood as %s', (said, command) => expect(understood(said)).toBe(command))
})
