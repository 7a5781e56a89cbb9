import { describe, expect, it } from 'vitest'
import { languageOf, problem, problems } from './problem.ts'

describe('problem', () => {
  it('fills parameters into the text of either language', () => {
    const text = problem('no_channel', { model: 'gpt-x', group: 'vip' }).textIn('en')
    expect(text).toContain('gpt-x')
    expect(text).not.toContain('{model}')
  })

  it('uses the localised name of a parameter', () => {
    const taken = problem('identity_taken', { provider: { en: 'WeChat', zh: '微信' } })
    expect(taken.textIn('en')).toContain('This WeChat account is')
    expect(taken.textIn('zh')).toContain('该微信账户')
    expect(problem('identity_taken', { provider: { en: 'GitHub', zh: 'GitHub' } }).textIn('zh')).toContain(
      '该 GitHub 账户',
    )
  })

  it('keeps its cause', () => {
    const cause = new Error('socket')
    expect(problem('not_found', {}, { cause }).cause).toBe(cause)
  })

  it.each(Object.entries(problems))(
    '%s has an error status and uses the same parameters in both languages',
    (_, definition) => {
      expect(definition.status).toBeGreaterThanOrEqual(400)
      expect(definition.status).toBeLessThan(600)
      expect(parametersOf(definition.text.en)).toEqual(parametersOf(definition.text.zh))
      expect(definition.text.en).not.toMatch(/[\u4e00-\u9fff]/)
    },
  )
})

describe('languageOf', () => {
  it.each([
    ['zh-CN,zh;q=0.9', 'zh'],
    [' ZH', 'zh'],
    ['en-US,zh;q=0.5', 'en'],
    [undefined, 'en'],
  ])('Accept-Language %s means %s', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})

function parametersOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort()
}
