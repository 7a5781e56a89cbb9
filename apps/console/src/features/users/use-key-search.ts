import { useMutation } from '@tanstack/react-query'
import { isWholeKey } from '../../shared/ids/token-key.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { findKeyOwner } from './key-owner.ts'
import { userMessages } from './i18n.ts'

interface KeySearch {
  /** Called when the search text consists of words. */
  readonly onWords: (text: string) => void
  /** Called when the search text is the key of a token that belongs to this user. */
  readonly onOwner: (userId: number) => void
}

/**
 * Searches by words or by a full token key. A key leads to its owner and never becomes part of the address.
 */
export function useKeySearch({ onWords, onOwner }: KeySearch): (text: string) => void {
  const t = userMessages.use()
  const { mutate } = useMutation({
    mutationFn: (key: string) => findKeyOwner(key),
    onSuccess: (owner) => {
      if (owner === null) return notifyFailure(t('key.nobodys'))
      notifyDone(t('key.owner', { token: owner.token_name, name: owner.username }))
      onOwner(owner.user_id)
    },
  })
  return (text) => (isWholeKey(text) ? mutate(text) : onWords(text))
}
