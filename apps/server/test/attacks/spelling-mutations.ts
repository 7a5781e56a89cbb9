/**
 * Mutations for the checks of member spellings: each removes one check, and the spelling tests must then
 * fail. `from` occurs exactly once in its file.
 */

const DIALECTS = 'packages/dialects/src'

export const spellingMutations = [
  {
    guard: 'odd members of calls',
    file: `${DIALECTS}/ask.ts`,
    from: 'rejectSuspect(odd)',
    to: 'odd?.type',
  },
  {
    guard: 'odd members in texts of JSON',
    file: `${DIALECTS}/ask.ts`,
    from: 'rejectSuspectTexts(body, checkedMembers[operation])',
    to: 'checkedMembers[operation].members',
  },
  {
    guard: 'odd members of tasks',
    file: `${DIALECTS}/checked/read-object.ts`,
    from: 'rejectSuspect(odd)',
    to: 'odd?.type',
  },
  {
    guard: 'odd members in texts of JSON, of tasks',
    file: `${DIALECTS}/checked/read-object.ts`,
    from: 'rejectSuspectTexts(body, judged)',
    to: 'judged.members',
  },
  {
    guard: 'odd fields of forms',
    file: `${DIALECTS}/media/read-form-ask.ts`,
    from: 'rejectSuspectForm(sent, textsOf(sent), shape)',
    to: 'shape.members',
  },
  {
    guard: 'odd fields of the forms of tasks',
    file: 'apps/server/src/relay/tasks/read-members.ts',
    from: 'rejectSuspectForm(sent, textsOf(sent), judged)',
    to: 'judged.members',
  },
  {
    guard: 'repeated members',
    file: `${DIALECTS}/checked/walk.ts`,
    from: 'if (level.hasSeen(member)) this.#note',
    to: 'if (member.index < 0) this.#note',
  },
  {
    guard: 'the case of names',
    file: 'packages/kit/src/fold-name.ts',
    from: "return name.toLowerCase().replaceAll(ASCII_JOINTS, '')",
    to: "return name.replaceAll(ASCII_JOINTS, '')",
  },
  {
    guard: 'snake and camel',
    file: 'packages/kit/src/fold-name.ts',
    from: "toLowerCase().replaceAll(ASCII_JOINTS, '')",
    to: 'toLowerCase()',
  },
  {
    guard: 'look-alikes of other scripts',
    file: 'packages/kit/src/fold-name.ts',
    from: 'return withLatinLetters(decomposed)',
    to: 'return decomposed',
  },
  {
    guard: 'letters nobody sees',
    file: 'packages/kit/src/fold-name.ts',
    from: ".replaceAll(JOINTS, '')",
    to: '',
  },
  {
    guard: 'judged members after a comma',
    file: `${DIALECTS}/json-scan.ts`,
    from: 'if (depth < unjudged) walk?.comma(at)',
    to: '',
  },
  {
    guard: 'the end of a judged object',
    file: `${DIALECTS}/json-scan.ts`,
    from: 'if (depth < unjudged) walk?.close(at)',
    to: 'if (depth < unjudged) at += 0',
  },
]
