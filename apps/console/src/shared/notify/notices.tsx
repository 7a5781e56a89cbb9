import { createPortal } from 'react-dom'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { dismissNotice, useNotices } from './notify.ts'
import styles from './notices.module.css'

/** Shows the messages of `notifyDone` and `notifyFailure`. Mounted once, by the shell. */
export function Notices() {
  const t = sharedMessages.use()
  const notices = useNotices((state) => state.notices)
  return createPortal(
    <div className={styles.stack} aria-live="polite">
      {notices.map(({ id, tone, text }) => (
        <div key={id} className={styles.notice}>
          <span className={tone === 'ok' ? styles.ok : styles.act}>
            <Icon name={tone === 'ok' ? 'check' : 'warning'} />
          </span>
          <span className={styles.text}>{text}</span>
          <button
            type="button"
            className={styles.close}
            onClick={() => dismissNotice(id)}
            aria-label={t('close')}
          >
            <Icon name="close" sizePx={12} />
          </button>
        </div>
      ))}
    </div>,
    document.body,
  )
}
