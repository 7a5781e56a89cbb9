import { routes } from '@tollgate/contract/routes'
import type { TestServer } from './harness.ts'

interface TwoChannels {
  /** Address of their upstream. */
  readonly url: string
  readonly model: string
  /** JSON settings of the one that is tried first. */
  readonly firstSetting?: string
}

/** Adds two channels, of which the second is tried when the first fails. Returns the key of a caller. */
export async function addTwoChannels(
  { root }: TestServer,
  { url, model, firstSetting = '{}' }: TwoChannels,
): Promise<string> {
  for (const [name, priority, setting] of [
    ['first', 1, firstSetting],
    ['second', 0, '{}'],
  ] as const)
    await root.call(routes.channel.create, {
      body: {
        type: 1,
        key: 'sk-up',
        name,
        base_url: url,
        models: model,
        group: 'default',
        priority,
        setting,
      },
    })
  await root.call(routes.option.update, { body: { key: 'RetryTimes', value: '2' } })
  const { key } = await root.call(routes.token.create, { body: { name: 'cli', unlimited_quota: true } })
  return key.startsWith('sk-') ? key : `sk-${key}`
}
