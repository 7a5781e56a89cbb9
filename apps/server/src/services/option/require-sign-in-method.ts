import { type OptionKey, optionDefinition, parseOption } from '@tollgate/contract/options/index'
import { neededKeys } from '@tollgate/contract/options/needs'
import { problem } from '@tollgate/problems/problem'
import { listRootSignInMethods } from '@tollgate/store/accounts/identities'
import { canSignIn, providers } from '../oauth/enabled-providers.ts'
import type { Options, Services } from '../services.ts'

const switches = Object.values(providers).map(({ switchKey }) => switchKey)
/** Settings that affect who can sign in. */
const KEYS: ReadonlySet<string> = new Set([
  'PasswordLoginEnabled',
  ...switches.flatMap((key) => [key, ...neededKeys(optionDefinition(key))]),
])

/** Refuses a change that would leave no super admin able to sign in, if one could before. */
export async function requireSignInMethod(
  { store, options }: Services,
  { key, text }: { key: OptionKey; text: string },
): Promise<void> {
  if (!KEYS.has(key)) return
  const after = changed(options, key, text)
  const roots = await listRootSignInMethods(store)
  const couldBefore = roots.some((ways) => canSignIn(options, ways))
  if (couldBefore && !roots.some((ways) => canSignIn(after, ways))) throw problem('option_locks_out')
}

/** The settings as they would be after the change. */
function changed(options: Options, key: OptionKey, text: string): Options {
  return {
    get: (asked) => {
      if (asked !== key) return options.get(asked)
      const parsed = parseOption(asked, text)
      return parsed.type === 'accepted' ? parsed.value : options.get(asked)
    },
  }
}
