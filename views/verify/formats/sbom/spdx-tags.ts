/** The tags of SPDX 2 and their places in SPDX's JSON. */
import type { PlainObject, Value } from '../../../../values/index.js';

export type SpdxSection =
  | 'document'
  | 'creation'
  | 'package'
  | 'file'
  | 'snippet'
  | 'license'
  | 'annotation'
  | 'relationship';

export interface SpdxTag {
  readonly section: SpdxSection;
  /** Empty where the value has several keys. */
  readonly key: string;
  readonly list?: true;
  /** The list whose last object the tag is about. */
  readonly lastOf?: string;
  /** The list of the document to which the tag adds an object. */
  readonly opens?: string;
  /** The value of a text; undefined for one that has none. */
  readonly read?: (text: string) => Value | undefined;
}

const inside =
  (section: SpdxSection) =>
  (key: string, more: Partial<SpdxTag> = {}): SpdxTag => ({ section, key, ...more });
const document = inside('document');
const creation = inside('creation');
const pack = inside('package');
const file = inside('file');
const snippet = inside('snippet');
const license = inside('license');
const annotation = inside('annotation');
const relationship = inside('relationship');

/** Tags that the JSON lacks. */
const nothing = (): PlainObject => ({});

/** `5:12`, as pointers into a file. */
function range(unit: 'offset' | 'lineNumber') {
  return (text: string): PlainObject => {
    const [start, end] = text.split(':').map(Number);
    return { endPointer: { [unit]: end ?? 0 }, startPointer: { [unit]: start ?? 0 } };
  };
}

const truth = (text: string): Value => text === 'true';

const algorithms = new Set(
  `SHA1 SHA224 SHA256 SHA384 SHA512 MD2 MD4 MD5 MD6 SHA3-256 SHA3-384 SHA3-512
  BLAKE2b-256 BLAKE2b-384 BLAKE2b-512 BLAKE3 ADLER32`.split(/\s+/),
);

function checksum(text: string): PlainObject | undefined {
  const [, algorithm = '', checksumValue = ''] = /^([^:]*):\s*(.*)$/.exec(text) ?? [];
  return algorithms.has(algorithm) ? { algorithm, checksumValue } : undefined;
}

function externalReference(text: string): PlainObject | undefined {
  const [referenceCategory = '', referenceType = '', referenceLocator, ...more] = text.split(/\s+/);
  if (referenceLocator === undefined || more.length > 0) return undefined;
  return { referenceCategory, referenceLocator, referenceType };
}

function externalDocument(text: string): PlainObject | undefined {
  const [externalDocumentId = '', spdxDocument = '', ...rest] = text.split(/\s+/);
  const sum = checksum(rest.join(' '));
  return sum && { checksum: sum, externalDocumentId, spdxDocument };
}

function related(text: string): PlainObject | undefined {
  const [spdxElementId = '', relationshipType = '', relatedSpdxElement = '', ...more] = text.split(' ');
  const isOther = relatedSpdxElement === 'NONE' || relatedSpdxElement === 'NOASSERTION';
  if (more.length > 0 || !reference.test(spdxElementId)) return undefined;
  if (!isOther && !reference.test(relatedSpdxElement)) return undefined;
  return { relatedSpdxElement, relationshipType, spdxElementId };
}

const reference = /^(?:DocumentRef-[^:]+:)?SPDXRef-/;

/** The identifier of an element of this document. */
export function elementId(text: string): string | undefined {
  return text.startsWith('SPDXRef-') ? text : undefined;
}

/** A person, an organization, or one of further kinds, before a colon. */
const agent =
  (...kinds: readonly string[]) =>
  (text: string): string | undefined => {
    const [, kind, name] = /^([^:]*):\s*(.*)$/.exec(text) ?? [];
    if (kind === undefined) return text === 'NOASSERTION' && !kinds.includes('Tool') ? text : undefined;
    return ['Person', 'Organization', ...kinds].includes(kind) ? `${kind}: ${name}` : undefined;
  };

function verification(text: string): PlainObject {
  const [, packageVerificationCodeValue = '', excluded = ''] = /^(\S+)\s*(?:\(excludes:?\s*(.*)\))?$/.exec(text) ?? [];
  const packageVerificationCodeExcludedFiles = excluded === '' ? undefined : excluded.split(/,\s*/);
  return {
    packageVerificationCodeValue,
    ...(packageVerificationCodeExcludedFiles && { packageVerificationCodeExcludedFiles }),
  };
}

/** `Person: Ida (ida@host.example)` stays one text. */
export const spdxTags: Readonly<Record<string, SpdxTag>> = {
  SPDXVersion: document('spdxVersion'),
  DataLicense: document('dataLicense'),
  DocumentName: document('name'),
  DocumentNamespace: document('documentNamespace'),
  DocumentComment: document('comment'),
  ExternalDocumentRef: document('externalDocumentRefs', { list: true, read: externalDocument }),
  Creator: creation('creators', { list: true, read: agent('Tool') }),
  Created: creation('created'),
  CreatorComment: creation('comment'),
  LicenseListVersion: creation('licenseListVersion'),
  PackageName: pack('name', { opens: 'packages' }),
  PackageVersion: pack('versionInfo'),
  PackageFileName: pack('packageFileName'),
  PackageSupplier: pack('supplier', { read: agent() }),
  PackageOriginator: pack('originator', { read: agent() }),
  PackageDownloadLocation: pack('downloadLocation'),
  FilesAnalyzed: pack('filesAnalyzed', { read: truth }),
  PackageVerificationCode: pack('packageVerificationCode', { read: verification }),
  PackageChecksum: pack('checksums', { list: true, read: checksum }),
  PackageHomePage: pack('homepage'),
  PackageSourceInfo: pack('sourceInfo'),
  PackageLicenseConcluded: pack('licenseConcluded'),
  PackageLicenseInfoFromFiles: pack('licenseInfoFromFiles', { list: true }),
  PackageLicenseDeclared: pack('licenseDeclared'),
  PackageLicenseComments: pack('licenseComments'),
  PackageCopyrightText: pack('copyrightText'),
  PackageSummary: pack('summary'),
  PackageDescription: pack('description'),
  PackageComment: pack('comment'),
  PrimaryPackagePurpose: pack('primaryPackagePurpose'),
  ReleaseDate: pack('releaseDate'),
  BuiltDate: pack('builtDate'),
  ValidUntilDate: pack('validUntilDate'),
  ExternalRef: pack('externalRefs', { list: true, read: externalReference }),
  ExternalRefComment: pack('comment', { lastOf: 'externalRefs' }),
  PackageAttributionText: pack('attributionTexts', { list: true }),
  FileName: file('fileName', { opens: 'files' }),
  FileType: file('fileTypes', { list: true }),
  FileChecksum: file('checksums', { list: true, read: checksum }),
  LicenseConcluded: file('licenseConcluded'),
  LicenseInfoInFile: file('licenseInfoInFiles', { list: true }),
  LicenseComments: file('licenseComments'),
  FileCopyrightText: file('copyrightText'),
  FileComment: file('comment'),
  FileNotice: file('noticeText'),
  FileContributor: file('fileContributors', { list: true }),
  FileAttributionText: file('attributionTexts', { list: true }),
  FileDependency: file('fileDependencies', { list: true }),
  SnippetSPDXID: snippet('SPDXID', { opens: 'snippets' }),
  SnippetFromFileSPDXID: snippet('snippetFromFile'),
  SnippetLicenseConcluded: snippet('licenseConcluded'),
  SnippetCopyrightText: snippet('copyrightText'),
  SnippetComment: snippet('comment'),
  SnippetName: snippet('name'),
  SnippetByteRange: snippet('ranges', { list: true, read: range('offset') }),
  SnippetLineRange: snippet('ranges', { list: true, read: range('lineNumber') }),
  SnippetLicenseComments: snippet('licenseComments'),
  LicenseInfoInSnippet: snippet('licenseInfoInSnippets', { list: true }),
  SnippetAttributionText: snippet('attributionTexts', { list: true }),
  LicenseID: license('licenseId', { opens: 'hasExtractedLicensingInfos' }),
  ExtractedText: license('extractedText'),
  LicenseName: license('name'),
  LicenseCrossReference: license('seeAlsos', { list: true }),
  LicenseComment: license('comment'),
  Annotator: annotation('annotator', { opens: 'annotations' }),
  AnnotationDate: annotation('annotationDate'),
  AnnotationType: annotation('annotationType'),
  AnnotationComment: annotation('comment'),
  SPDXREF: annotation('', { read: nothing }),
  Reviewer: document('', { read: nothing }),
  ReviewDate: document('', { read: nothing }),
  ReviewComment: document('', { read: nothing }),
  Relationship: relationship('', { opens: 'relationships', read: related }),
  RelationshipComment: relationship('comment'),
};
