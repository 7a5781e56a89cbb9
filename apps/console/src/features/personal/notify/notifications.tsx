import type { Self } from '@tollgate/contract/user'
import { personalMessages } from '../i18n/index.ts'
import { Section } from '../../../shared/page/section.tsx'
import { role } from '../../../shared/session/session.ts'
import { NotifyFormView } from './notify-form.tsx'

/** Settings for the low-quota notification. The form is mounted anew after the settings are saved. */
export function Notifications({ self }: { readonly self: Self }) {
  const t = personalMessages.use()
  return (
    <Section title={t('notify.title')} purpose={t('notify.purpose')}>
      <NotifyFormView
        key={self.setting}
        setting={self.setting}
        ownEmail={self.email}
        isSuperAdmin={self.role >= role.root}
      />
    </Section>
  )
}
