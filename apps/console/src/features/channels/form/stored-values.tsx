import { useMutation } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import { Alert, Button, Form, type FormInstance } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { role, useSessionUser } from '../../../shared/session/session.ts'
import type { ChannelFormValue } from '../form-value.ts'
import { channelMessages } from '../i18n/index.ts'
import styles from './form.module.css'
import { hasMasks } from './moved.ts'

interface StoredValuesProps {
  readonly form: FormInstance<ChannelFormValue>
  /** `undefined`: a new channel. */
  readonly channelId: number | undefined
}

/** Explains masked values, and can reveal them to the super admin. */
export function StoredValues({ form, channelId }: StoredValuesProps) {
  const t = channelMessages.use()
  const isRoot = (useSessionUser()?.role ?? 0) >= role.root
  const show = useMutation({
    mutationFn: (id: number) => api.call(channelRoutes.reveal, { params: { id } }),
    // Secrets do not stay in memory once the form is closed, and are not fetched later, when the network is back.
    gcTime: 0,
    networkMode: 'always',
    onSuccess: (stored) =>
      form.setFieldsValue({
        headerOverride: stored.header_override,
        parameterOverride: stored.param_override,
        setting: stored.setting,
      }),
  })
  const entered = Form.useWatch((value: ChannelFormValue) => value, { form, preserve: true })
  if (channelId === undefined || entered === undefined || !hasMasks({ ...noTexts, ...entered })) return null

  return (
    <Alert
      type="info"
      className={styles.masked}
      title={t('form.masked')}
      action={
        isRoot && (
          <Button size="small" loading={show.isPending} onClick={() => show.mutate(channelId)}>
            {t('form.showStored')}
          </Button>
        )
      }
    />
  )
}

const noTexts = { headerOverride: '', parameterOverride: '', setting: '' }
