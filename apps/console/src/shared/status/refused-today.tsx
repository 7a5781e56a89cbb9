import { describeRefusal } from '@tollgate/contract/refusal-words'
import type { Token } from '@tollgate/contract/token'
import { groupedInteger } from '../format/money.ts'
import { currentLanguage } from '../i18n/language.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'

type RefusedToken = Pick<Token, 'refused_today' | 'refused_reason'>

/** How many calls of a token were refused today, and why most of them; nothing without any. */
export function RefusedToday({ token }: { readonly token: RefusedToken }) {
  const t = sharedMessages.use()
  if (token.refused_today === 0) return null
  const reason = describeRefusal(token.refused_reason, currentLanguage())
  const refused = groupedInteger(token.refused_today)
  return (
    <span className="muted" title={t('refusedToday.meaning')}>
      {t('refusedToday', { refused, reason })}
    </span>
  )
}
