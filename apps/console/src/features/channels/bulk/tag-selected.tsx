import { useMutation } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import { Alert, Form, Modal } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { Field } from '../../../shared/form/field.tsx'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useRefreshChannels } from '../api.ts'
import { TagInput } from '../tags/tag-input.tsx'
import { channelBulkMessages } from './i18n.ts'

interface TagSelectedProps {
  readonly ids: readonly number[]
  readonly onClose: () => void
}

/** Sets one tag for all selected channels. */
export function TagSelected({ ids, onClose }: TagSelectedProps) {
  const t = channelBulkMessages.use()
  const refresh = useRefreshChannels()
  const [form] = Form.useForm<{ name: string }>()
  const tag = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      api.call(channelRoutes.tagBatch, { body: { ids: [...ids], tag: name.trim() } }),
    meta: { isFailureShown: true },
    onSuccess: async (tagged) => {
      notifyDone(t('tagged', { count: tagged }))
      onClose()
      await refresh()
    },
  })
  return (
    <Modal
      open
      width={420}
      title={t('tagTitle', { count: ids.length })}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={tag.isPending}
      onOk={form.submit}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ name: '' }}
        requiredMark={false}
        onFinish={(entered) => tag.mutate(entered)}
      >
        <Field name="name" label={t('word.tag')} isRequired>
          <TagInput />
        </Field>
      </Form>
      {tag.error !== null && <Alert type="error" title={failureText(tag.error)} />}
    </Modal>
  )
}
