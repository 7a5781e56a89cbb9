import { describe, expect, it } from 'vitest'
import { isLesson, traitsTaught, withTraits } from './lessons.ts'
import { learnedTraitIn } from './read-refusal.ts'

function refusal(more: object) {
  const error = { status: 400, message: 'no', type: 'invalid_request_error', code: '', param: null }
  return { ...error, raw: undefined, ...more }
}

describe('an upstream error', () => {
  it.each([
    ['temperature', 'refuses:temperature'],
    ['top_logprobs', 'refuses:logprobs'],
    ['max_tokens', 'output_limit:max_completion_tokens'],
    ['max_completion_tokens', 'output_limit:max_tokens'],
    ['messages[0].role', undefined],
    ['tools', undefined],
    ['response_format', undefined],
    ['max_output_tokens', undefined],
    ['constructor', undefined],
  ])('that names %s as unsupported teaches %s', (param, lesson) => {
    expect(learnedTraitIn(refusal({ code: 'unsupported_parameter', param }), 'chat')).toBe(lesson)
  })

  it('about a value does not teach another name for the output limit', () => {
    const error = { code: 'unsupported_value', param: 'max_tokens' }
    expect(learnedTraitIn(refusal(error), 'chat')).toBeUndefined()
  })

  it('about the role of a message teaches the older role', () => {
    const error = { code: 'unsupported_value', param: 'messages[0].role' }
    expect(learnedTraitIn(refusal(error), 'chat')).toBe('system_role:system')
  })

  it.each([
    ['`top_k` is deprecated for this model.', 'messages', 'refuses:top_k'],
    ['`top_k` is deprecated for this model.', 'chat', undefined],
    ['Jinja Exception: System message must be at the beginning.', 'chat', 'system_messages:reminders'],
    [
      'Unable to generate parser for this template. Automatic parser generation failed: \n---\nWhile executing\nError: Jinja Exception: System message must be at the beginning.',
      'chat',
      'system_messages:reminders',
    ],
    [
      'Failed to deserialize the JSON body into the target type: messages[5]: invalid type: sequence, expected a string at line 1 column 33928',
      'chat',
      'joined_texts:true',
    ],
    [
      'Failed to deserialize the JSON body into the target type: messages[1].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`, `latest_reminder` at line 1 column 30930',
      'chat',
      'system_role:system',
    ],
    [`System message must be at the beginning.${' '.repeat(2000)}`, 'chat', undefined],
  ])('with the message %j in %s teaches %s', (message, operation, lesson) => {
    expect(learnedTraitIn(refusal({ message }), operation)).toBe(lesson)
  })

  it('about a long description of a function teaches its limit', () => {
    const words =
      'string too long. Expected a string with maximum length 1024, but got a string with length 4394 instead.'
    for (const [place, operation] of [
      ['tools[2].function.description', 'chat'],
      ['tools[0].description', 'responses'],
    ] as const)
      expect(learnedTraitIn(refusal({ message: `Invalid '${place}': ${words}` }), operation)).toBe(
        'tool_description:1024',
      )
    expect(
      learnedTraitIn(refusal({ message: `Invalid 'tools[0].function.name': ${words}` }), 'chat'),
    ).toBeUndefined()
  })

  it.each([
    'The request body is not valid JSON: no low surrogate in string: line 1 column 90 (char 89)',
    'The request body is not valid JSON: str is not valid UTF-8: surrogates not allowed: line 1 column 1 (char 0)',
    String.raw`'utf-8' codec can't encode character '\ud83d' in position 26: surrogates not allowed`,
  ])('that says %j teaches whole texts at every endpoint', (message) => {
    for (const operation of ['messages', 'chat', 'responses', 'generate'])
      expect(learnedTraitIn(refusal({ message }), operation)).toBe('whole_texts:true')
  })

  it.each([
    ['context_management: Extra inputs are not permitted', 'extra_input:context_management'],
    ['tools.3.custom.defer_loading: Extra inputs are not permitted', 'extra_input:tools.defer_loading'],
    ['tools.0.strict: Extra inputs are not permitted', 'extra_input:tools.strict'],
    ['output_config.effort: Extra inputs are not permitted', 'extra_input:output_config.effort'],
    [
      'system.0.cache_control.ephemeral.scope: Extra inputs are not permitted',
      'extra_input:cache_control.scope',
    ],
    [
      'messages.2.content.0.cache_control.ephemeral.ttl: Extra inputs are not permitted',
      'extra_input:cache_control.ttl',
    ],
    ['thinking.adaptive.display: Extra inputs are not permitted', 'extra_input:thinking.display'],
    [
      'Malformed input request: #: extraneous key [context_management] is not permitted, please reformat',
      'extra_input:context_management',
    ],
    [
      'Unexpected value(s) `prompt-caching-scope-2026-01-05`, `effort-2025-11-24` for the `anthropic-beta` header. Please',
      'betas:usual',
    ],
    ['The model returned the following errors: invalid beta flag', 'betas:usual'],
    ['messages.0.content.0.text: Extra inputs are not permitted', undefined],
    ['tools.0.custom.input_schema: Extra inputs are not permitted', undefined],
    ['max_tokens: Extra inputs are not permitted', undefined],
    ['the caller wrote context_management: Extra inputs are not permitted', undefined],
  ])('that says %j of a Messages request teaches %s', (message, lesson) => {
    expect(learnedTraitIn(refusal({ message }), 'messages')).toBe(lesson)
    expect(learnedTraitIn(refusal({ message }), 'chat')).toBeUndefined()
  })

  it.each([
    [{ status: 404, param: '404', code: 'bad_response_status_code' }, 'responses', 'responses:false'],
    [{ status: 405, param: null, code: '405' }, 'responses', 'responses:false'],
    [{ status: 404, param: 'input', code: '' }, 'responses', undefined],
    [{ status: 404, param: null, code: 'model_not_found' }, 'responses', undefined],
    [{ status: 404, param: null, code: '' }, 'chat', undefined],
    [{ status: 500, param: 'temperature', code: 'unsupported_parameter' }, 'chat', undefined],
  ])('with the properties %j in %s teaches %s', (error, operation, lesson) => {
    expect(learnedTraitIn(refusal(error), operation)).toBe(lesson)
  })
})

it('learned refusals are added to known ones, and other learned traits replace them', () => {
  const learned = traitsTaught(['refuses:top_p', 'refuses:temperature', 'responses:false'])
  expect(withTraits({ refuses: ['top_p', 'top_k'], responses: true, reasons: true }, learned)).toEqual({
    refuses: ['top_p', 'top_k', 'temperature'],
    responses: false,
    reasons: true,
  })
})

it('learned extra inputs are added to known ones', () => {
  const learned = traitsTaught(['extra_input:speed', 'betas:usual'])
  expect(withTraits({ refusedInputs: ['tools.strict'], refuses: ['top_k'] }, learned)).toEqual({
    refuses: ['top_k'],
    refusedInputs: ['tools.strict', 'speed'],
    betas: 'usual',
  })
})

it('a name outside the list is not a lesson', () => {
  expect([isLesson('refuses:temperature'), isLesson('refuses:tools'), isLesson(undefined)]).toEqual([
    true,
    false,
    false,
  ])
})
