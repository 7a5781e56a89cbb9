import * as registry from '@tollgate/providers/registry'
import { expect, it } from 'vitest'
import { modelOwners } from './model-owners.ts'

const owners = modelOwners(Object.values(registry))

it.each([
  ['gpt-4o', 'OpenAI'],
  ['claude-3-5-sonnet-20241022', 'Anthropic'],
  ['gemini-2.5-pro', 'Gemini'],
])('%s is owned by %s, even if other providers list it', (model, label) => {
  expect(owners.get(model)?.label).toContain(label)
})
