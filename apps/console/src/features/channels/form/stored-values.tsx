import { channelRoutes } from '@tollgate/contract/channel'
import { Alert, Button, Form, type FormInstance } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { notifyFailure } from '../../../shared/notify/notify.ts'
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
  const [isAsking, setIsAsking] = useState(false)
  const entered = Form.useWatch((value: ChannelFormValue) => value, { form, preserve: true })
  if (channelId === undefined || entered === undefined || !hasMasks({ ...noTexts, ...entered })) return null

  async function show(id: number) {
    setIsAsking(true)
    try {
      const stored = await api.call(channelRoutes.reveal, { params: { id } })
      form.setFieldsValue({
        headerOverride: stored.header_override,
        parameterOverride: stored.param_override,
        setting: stored.setting,
      })
    } catch (error) {
      notifyFailure(failureText(error))
    } finally {
      setIsAsking(false)
    }
  }

  return (
    <Alert
      type="info"
      className={styles.masked}
      title={t('form.masked')}
      action={
        isRoot && (
          <Button size="small" loading={isAsking} onClick={() => void show(channelId)}>
            {t('form.showStored')}
          </Button>
        )
      }
    />
  )
}

const noTexts = { headerOverride: '', parameterOverride: '', setting: '' }
