/*
 * The names of statuses, and the version of the library.
 */
#include "dosimeter.h"

const char *dosi_status_name(dosi_status status)
{
    switch (status) {
    case DOSI_OK:
        return "OK";
    case DOSI_EINVAL:
        return "EINVAL";
    case DOSI_ESYNTAX:
        return "ESYNTAX";
    case DOSI_EDOMAIN:
        return "EDOMAIN";
    case DOSI_EUNSUPPORTED:
        return "EUNSUPPORTED";
    case DOSI_EUNABLE:
        return "EUNABLE";
    case DOSI_ENOMEM:
        return "ENOMEM";
    case DOSI_EENTROPY:
        return "EENTROPY";
    case DOSI_EIO:
        return "EIO";
    }
    return "UNKNOWN";
}

const char *dosi_version(void)
{
    return DOSI_VERSION;
}
