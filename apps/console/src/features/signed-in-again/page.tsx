import { useEffect } from 'react'
import { FormPage } from '../../shared/page/form-page.tsx'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { sessionUser } from '../../shared/session/session.ts'
import { finishSigningInAgain, isSigningInAgain } from '../../shared/session/sign-in-again.ts'
import { signedInAgainMessages } from './i18n.ts'

/**
 * Notifies the waiting window and closes itself; in browsers that do not allow this, the reader closes it
 * with the button.
 */
export default function SignedInAgainPage() {
  const t = signedInAgainMessages.use()
  useEffect(() => {
    const user = sessionUser()
    if (user === undefined || !isSigningInAgain()) return
    finishSigningInAgain(user.id)
    globalThis.close()
  }, [])
  return (
    <FormPage title={t('title')} purpose={t('purpose')}>
      <PlainButton isPrimary isLarge onClick={() => globalThis.close()}>
        {t('close')}
      </PlainButton>
    </FormPage>
  )
}
