import { describe, expect, it } from 'vitest'
import {
  type AnswerMessage,
  changed,
  type Conversation,
  type ConversationChange,
  isUnderWay,
} from './conversation.ts'

const start = (id: string) => ({ id, model: 'gpt-4o-mini', startedMs: 1000 })

function after(...changes: readonly ConversationChange[]): Conversation {
  return changes.reduce(changed, [])
}

function lastAnswer(conversation: Conversation): AnswerMessage {
  const last = conversation.at(-1)
  if (last?.role !== 'assistant') throw new Error('the last message is not an answer')
  return last
}

const asked: ConversationChange = {
  type: 'asked',
  question: { role: 'user', id: 'q1', text: 'Why?' },
  answer: start('a1'),
}
const streamed = (
  ...events: Extract<ConversationChange, { type: 'streamed' }>['events']
): ConversationChange => ({
  type: 'streamed',
  id: 'a1',
  events,
  nowMs: 1500,
})

describe('an answer', () => {
  it('is loading first, incomplete with the first text, and complete at the end', () => {
    expect(lastAnswer(after(asked)).state).toBe('loading')
    const incomplete = lastAnswer(after(asked, streamed({ type: 'text-delta', text: 'Be' })))
    expect(incomplete).toMatchObject({ state: 'incomplete', text: 'Be', firstTextMs: 1500 })
    const complete = after(
      asked,
      streamed({ type: 'text-delta', text: 'Be' }, { type: 'text-delta', text: 'cause' }),
      streamed({ type: 'done' }),
    )
    expect(lastAnswer(complete)).toMatchObject({ state: 'complete', text: 'Because', endedMs: 1500 })
  })

  it('is incomplete as soon as reasoning arrives, which is kept apart from the text', () => {
    const answer = lastAnswer(after(asked, streamed({ type: 'reasoning-delta', text: 'hm' })))
    expect(answer).toMatchObject({ state: 'incomplete', text: '', reasoning: 'hm' })
  })

  it('keeps the text received before an error, and ignores later events', () => {
    const failed = after(
      asked,
      streamed({ type: 'text-delta', text: 'Be' }, { type: 'error', message: 'broke' }),
      streamed({ type: 'text-delta', text: 'cause' }, { type: 'done' }),
    )
    expect(lastAnswer(failed)).toMatchObject({ state: 'error', text: 'Be', error: 'broke' })
  })

  it('stays stopped when late events arrive', () => {
    const stopped = after(asked, { type: 'stopped', id: 'a1', nowMs: 1200 }, streamed({ type: 'done' }))
    expect(lastAnswer(stopped)).toMatchObject({ state: 'stopped', endedMs: 1200 })
    expect(stopped.some(isUnderWay)).toBe(false)
  })
})

describe('a conversation', () => {
  const twoTurns = after(asked, streamed({ type: 'text-delta', text: 'Because' }, { type: 'done' }), {
    type: 'asked',
    question: { role: 'user', id: 'q2', text: 'Sure?' },
    answer: start('a2'),
  })

  it('drops the messages after a retried answer', () => {
    const retried = changed(twoTurns, { type: 'retried', id: 'a1', answer: start('a3') })
    expect(retried.map((message) => message.id)).toEqual(['q1', 'a3'])
  })

  it('drops the messages after an edited question', () => {
    const edited = changed(twoTurns, { type: 'edited', id: 'q1', text: 'How?', answer: start('a3') })
    expect(edited.map((message) => message.id)).toEqual(['q1', 'a3'])
    expect(edited[0]).toMatchObject({ text: 'How?' })
  })

  it('ignores events of an answer that was removed', () => {
    const cleared = changed(twoTurns, { type: 'cleared' })
    expect(changed(cleared, streamed({ type: 'text-delta', text: 'late' }))).toEqual([])
  })
})
