import { expect, it } from 'vitest'
import { addressHelp } from './address-help.ts'
import { providerById, providers } from './index.ts'

const helpOf = (id: string) => {
  const provider = providerById(id)
  return provider && addressHelp(provider)
}

it.each(providers.map((provider) => [provider.id, provider] as const))(
  'the address help of a %s channel explains the base address in both languages, with an example',
  (_id, provider) => {
    const { help, example } = addressHelp(provider)
    expect(help.en).toMatch(/^[A-Z].*\.$/)
    expect(help.zh).toMatch(/[\u4e00-\u9fff].*。$/)
    expect(new URL(example).protocol).toMatch(/^https?:$/)
    expect(example).toBe(provider.baseUrl ?? example)
    expect(`${help.en} ${help.zh}`).not.toMatch(/undefined|task-id|…|\/\//)
  },
)

it('the address of a custom channel is the full URL, which may contain the model', () => {
  expect(helpOf('custom')).toMatchObject({
    help: { en: 'The full address of a call, path included; {model} stands for the model.' },
    example: 'https://upstream.example.com/models/{model}/chat/completions',
  })
})

it('the help of other channels says that the base address ends where the path of a call begins', () => {
  expect(helpOf('openai')?.help.en).toBe('Everything before /v1/chat/completions.')
  expect(helpOf('openrouter')?.help.en).toBe('Everything before /v1/chat/completions.')
  expect(helpOf('perplexity')?.help.en).toBe('Everything before /chat/completions.')
  expect(helpOf('gemini')?.help.en).toBe('Everything before /v1beta/models.')
  expect(helpOf('sora')?.help.en).toBe('Everything before /v1/videos.')
  expect(helpOf('hunyuan')?.help.en).toBe('The host alone, without a path.')
})
