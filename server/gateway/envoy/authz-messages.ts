/** The messages of Envoy's external authorization, with the fields that a check uses. */
import { field, MessageType, map, repeated } from '../protobuf/message-type.js';

const any = new MessageType('google.protobuf.Any', { type_url: field(1, 'string'), value: field(2, 'bytes') });

/** Version 3, or 2: the second lacks the later fields. */
interface Version {
  readonly checkRequest: MessageType;
  readonly checkResponse: MessageType;
}

/** Both versions have the same numbers; packages differ. */
function version(core: string, service: string, type: string, isThird: boolean): Version {
  const only = <Fields extends object>(fields: Fields): Fields | Record<string, never> => (isThird ? fields : {});

  const socketAddress = new MessageType(`${core}.SocketAddress`, {
    protocol: field(1, 'enum'),
    address: field(2, 'string'),
    port_value: field(3, 'uint32', 'port_specifier'),
    named_port: field(4, 'string', 'port_specifier'),
    resolver_name: field(5, 'string'),
    ipv4_compat: field(6, 'bool'),
    ...only({ network_namespace_filepath: field(7, 'string') }),
  });
  const pipe = new MessageType(`${core}.Pipe`, { path: field(1, 'string'), mode: field(2, 'uint32') });
  const internalAddress = new MessageType(`${core}.EnvoyInternalAddress`, {
    server_listener_name: field(1, 'string', 'address_name_specifier'),
    endpoint_id: field(2, 'string'),
  });
  const addressType = new MessageType(`${core}.Address`, {
    socket_address: field(1, socketAddress, 'address'),
    pipe: field(2, pipe, 'address'),
    ...only({ envoy_internal_address: field(3, internalAddress, 'address') }),
  });
  const metadata = new MessageType(`${core}.Metadata`, {
    filter_metadata: map(1, 'google.protobuf.Struct'),
    ...only({ typed_filter_metadata: map(2, any) }),
  });
  const headerValue = new MessageType(`${core}.HeaderValue`, {
    key: field(1, 'string'),
    value: field(2, 'string'),
    ...only({ raw_value: field(3, 'bytes') }),
  });
  const headerMap = new MessageType(`${core}.HeaderMap`, { headers: repeated(1, headerValue) });
  const headerOption = new MessageType(`${core}.HeaderValueOption`, { header: field(1, headerValue) });

  const context = `${service}.AttributeContext`;
  const peer = new MessageType(`${context}.Peer`, {
    address: field(1, addressType),
    service: field(2, 'string'),
    labels: map(3, 'string'),
    principal: field(4, 'string'),
    certificate: field(5, 'string'),
  });
  const httpRequest = new MessageType(`${context}.HttpRequest`, {
    id: field(1, 'string'),
    method: field(2, 'string'),
    headers: map(3, 'string'),
    path: field(4, 'string'),
    host: field(5, 'string'),
    scheme: field(6, 'string'),
    query: field(7, 'string'),
    fragment: field(8, 'string'),
    size: field(9, 'int64'),
    protocol: field(10, 'string'),
    body: field(11, 'string'),
    ...only({ raw_body: field(12, 'bytes'), header_map: field(13, headerMap) }),
  });
  const request = new MessageType(`${context}.Request`, {
    time: field(1, 'google.protobuf.Timestamp'),
    http: field(2, httpRequest),
  });
  const tlsSession = new MessageType(`${context}.TLSSession`, { sni: field(1, 'string') });
  const attributes = new MessageType(context, {
    source: field(1, peer),
    destination: field(2, peer),
    request: field(4, request),
    context_extensions: map(10, 'string'),
    metadata_context: field(11, metadata),
    ...only({ tls_session: field(12, tlsSession), route_metadata_context: field(13, metadata) }),
  });

  const status = new MessageType('google.rpc.Status', { code: field(1, 'int32'), message: field(2, 'string') });
  const httpStatus = new MessageType(`${type}.HttpStatus`, { code: field(1, 'enum') });
  const queryParameter = new MessageType(`${core}.QueryParameter`, {
    key: field(1, 'string'),
    value: field(2, 'string'),
  });
  const denied = new MessageType(`${service}.DeniedHttpResponse`, {
    status: field(1, httpStatus),
    headers: repeated(2, headerOption),
    body: field(3, 'string'),
  });
  const ok = new MessageType(`${service}.OkHttpResponse`, {
    headers: repeated(2, headerOption),
    ...only({
      headers_to_remove: repeated(5, 'string'),
      response_headers_to_add: repeated(6, headerOption),
      query_parameters_to_set: repeated(7, queryParameter),
      query_parameters_to_remove: repeated(8, 'string'),
    }),
  });
  return {
    checkRequest: new MessageType(`${service}.CheckRequest`, { attributes: field(1, attributes) }),
    checkResponse: new MessageType(`${service}.CheckResponse`, {
      status: field(1, status),
      denied_response: field(2, denied, 'http_response'),
      ok_response: field(3, ok, 'http_response'),
      ...only({ dynamic_metadata: field(4, 'google.protobuf.Struct') }),
    }),
  };
}

export const versions = {
  v3: version('envoy.config.core.v3', 'envoy.service.auth.v3', 'envoy.type.v3', true),
  v2: version('envoy.api.v2.core', 'envoy.service.auth.v2', 'envoy.type', false),
} as const;
