import { Alert, Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { openSignInAgain, whenSignedInAgain } from '../session/sign-in-again.ts'
import { proveMessages } from './prove-messages.ts'

interface ProveElsewhereProps {
  readonly userId: number
  readonly answer: (isProven: boolean) => void
}

/** Opens a separate window for the sign-in, so that nothing typed in this one is lost. */
export function ReauthenticateInNewWindow({ userId, answer }: ProveElsewhereProps) {
  const t = proveMessages.use()
  const shared = sharedMessages.use()
  const [fault, setFault] = useState<'blocked' | 'other'>()
  useEffect(
    () => whenSignedInAgain((id) => (id === userId ? answer(true) : setFault('other'))),
    [userId, answer],
  )
  return (
    <Modal
      open
      width={440}
      zIndex={1100}
      title={t('title')}
      onCancel={() => answer(false)}
      footer={
        <>
          <Button onClick={() => answer(false)}>{shared('cancel')}</Button>
          <Button type="primary" onClick={() => setFault(openSignInAgain() ? undefined : 'blocked')}>
            {t('again')}
          </Button>
        </>
      }
    >
      <p className="muted" style={{ marginBottom: 12 }}>
        {t('text')}
      </p>
      <p className="muted" style={{ marginBottom: 12 }}>
        {t('elsewhere')}
      </p>
      {fault !== undefined && <Alert type="error" role="alert" title={t(fault)} />}
    </Modal>
  )
}
