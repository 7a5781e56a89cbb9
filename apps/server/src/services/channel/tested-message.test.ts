import { expect, it } from 'vitest'
import { testedMessage } from './tested-message.ts'

const address = 'https://gate.example'
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

it('the message lists the first channels that failed and links to all of them', () => {
  const { content, values, link } = testedMessage({ tested: 9, failed: names, address }, 'en')
  expect(content).toContain('failed: {{value}}. These failed: {{value}}, and {{value}} more.')
  expect(values).toEqual(['9', '7', 'a, b, c, d, e', '2'])
  expect(link).toBe('https://gate.example/channel?test_outcome=failed')
})

it('a few failed channels are all listed, in the reader’s language', () => {
  const { content, values } = testedMessage({ tested: 9, failed: ['a', 'b'], address: '' }, 'zh')
  expect(content).toBe('已测试 {{value}} 个渠道，失败 {{value}} 个：{{value}}。')
  expect(values.slice(0, 3)).toEqual(['9', '2', 'a、b'])
})

it('the message of a test without failures says so and has no link', () => {
  const { content, link } = testedMessage({ tested: 2, failed: [], address }, 'en')
  expect(content).toBe('Channels tested: {{value}}. All of them answered.')
  expect(link).toBe('')
})
